import { mountWith } from '../sdk/berth.js';
import type { BerthEvent } from '../sdk/input/send-event.js';
import type { BerthOptions } from '../sdk/options.js';
import { Bitmaps } from './bitmaps.js';
import { ClientCalls } from './calls.js';
import type { ClientCall, ClientMessage, HostedOptions, TellClient } from './messages.js';
import { sdkCallbacks, sdkOptions, volumeOf } from './options.js';
import { Resizes } from './resizes.js';

/** How often the client is told the round trip, ms. */
const RTT_INTERVAL_MS = 1000;

/** What the client gets: a way to send messages to the session, and one to leave it. */
export interface HostedModule {
  handleMessage(message: ClientCall | ClientMessage): void;
  destroy(): void;
}

/**
 * Shows a session for the hosted service's web client, in the shadow root of the client's container.
 * @param url the address that the client loaded this module from
 * @param worklet address of the module that plays audio
 * @throws TypeError for invalid options
 */
export function openModule(
  root: ShadowRoot,
  url: string,
  tell: TellClient,
  given: HostedOptions,
  worklet: string,
): HostedModule {
  const bitmaps = given.frameCb === undefined ? null : new Bitmaps(given.frameCb);
  const options = sdkOptions(given, bitmaps);
  const resizes = new Resizes();
  let isJoined = false;
  const { onConnectionStateChange, ...callbacks } = sdkCallbacks(tell);
  Object.assign(options, callbacks, {
    onConnectionStateChange: event => {
      if (event.state !== 'playing') resizes.lost();
      onConnectionStateChange(event);
    },
    onResize: size => {
      resizes.sized(size);
      // The client takes sizes only once it has the first one.
      if (isJoined) tell({ type: 'resize', data: size });
    },
    onError: error => resizes.refused(error),
  } satisfies BerthOptions);
  const session = mountWith(root.host as HTMLElement, embedUrlOf(url), options, { worklet });

  let rtt: number | null = null;
  const timer = setInterval(() => {
    if (session.rtt === null || session.rtt === rtt) return;
    rtt = session.rtt;
    tell({ type: 'rtt', data: rtt });
  }, RTT_INTERVAL_MS);

  const joined = () => {
    const { width, height, userId: user_id, maxArea: max_area } = session;
    isJoined = true;
    tell({ type: 'connection', data: { width, height, user_id, max_area } });
  };
  // The page is told by onDisconnect why it is not admitted.
  session.joined.then(joined, () => clearInterval(timer));

  const calls = new ClientCalls(
    {
      tabs: session.tabs,
      setPermissions: (userId, permissions) => session.setPermissions(userId, permissions),
      addRoles: (userIds, roles, exclusive) => session.addRoles(userIds, roles, exclusive),
      removeRoles: (userIds, roles, exclusive) => session.removeRoles(userIds, roles, exclusive),
      enablePrivacyMode: userId => session.enablePrivacyMode(userId),
      disablePrivacyMode: () => session.disablePrivacyMode(),
      resize: (width, height) => resizes.ask({ width, height }, () => session.resize(width, height)),
    },
    tell,
  );

  const set = (message: ClientMessage): void => {
    const { type, data } = message;
    switch (type) {
      case 'webhook_auth':
        // It follows at once, long before the session is asked whether it admits this viewer.
        options.webhookUserdata = (data as { webhookUserdata: unknown }).webhookUserdata;
        return;
      case 'admin_token':
        if (data !== session.adminToken) session.adminToken = data as string | undefined;
        return;
      case 'delegate_keyboard':
        session.delegateKeyboard = Boolean(data);
        return;
      case 'disable_input':
        session.disableInput = Boolean(data);
        return;
      case 'playout_delay':
        session.playoutDelay = Boolean(data);
        return;
      case 'video_paused':
        if (Boolean(data) !== session.videoPaused) session.videoPaused = Boolean(data);
        return;
      case 'volume':
        session.volume = volumeOf(data);
        return;
      case 'ping':
        return session.ping();
      case 'reconnect':
        return session.reconnect();
      default:
        // The rest is input of the page's own, which names itself as its events do.
        session.sendEvent(message as unknown as BerthEvent);
    }
  };

  return {
    handleMessage: message => {
      if (!('m' in message)) return set(message);
      if (message.t !== undefined && message.t !== session.adminToken) session.adminToken = message.t;
      void calls.call(message);
    },
    destroy: () => {
      clearInterval(timer);
      session.destroy();
      bitmaps?.stop();
    },
  };
}

/** The session's `embed_url`, without what the client has added to ask for this module. */
function embedUrlOf(address: string): string {
  const url = new URL(address);
  url.searchParams.delete('no_cbor');
  return url.href;
}
