/** A key of a device that runs Android, or what one of its panels does. */
export type AndroidKeyName =
  | 'back'
  | 'home'
  | 'recents'
  | 'power'
  | 'wake'
  | 'sleep'
  | 'volume_up'
  | 'volume_down'
  | 'volume_mute'
  | 'menu'
  | 'search'
  | 'notifications'
  | 'quick_settings'
  | 'close_panels'
  | 'camera'
  | 'media_play_pause'
  | 'media_stop'
  | 'media_next'
  | 'media_previous';

/**
 * A device that runs Android. The methods need the role `control`, and reject with an error whose code is
 * `not_an_android` for other sessions, `not_ready` while the device boots, and others.
 */
export interface AndroidDevice {
  /** Presses a key and lets it go. */
  key(name: AndroidKeyName): Promise<void>;

  /** Turns the device this way up; `auto` leaves it to the apps, and without an argument it turns by a quarter. */
  rotate(orientation?: 'portrait' | 'landscape' | 'auto'): Promise<void>;

  /** Opens an app by its ID, or an address with http, https or market. */
  open(target: string): Promise<void>;

  /** Tells the device where it is: degrees, and the altitude in metres above sea level. */
  location(latitude: number, longitude: number, altitude?: number): Promise<void>;

  /** The last lines of the device's log, by default 500, at most 5000. Needs an admin. */
  logs(lines?: number): Promise<string>;
}
