/** Paths of the bar's icons, 24 by 24 units. */
export const ICONS = {
  fullscreen: 'M4 4h6v2H6v4H4V4zm10 0h6v6h-2V6h-4V4zM4 14h2v4h4v2H4v-6zm14 0h2v6h-6v-2h4v-4z',
  exitFullscreen: 'M8 4h2v6H4V8h4V4zm6 0h2v4h4v2h-6V4zM4 14h6v6H8v-4H4v-2zm10 0h6v2h-4v4h-2v-6z',
  sound: 'M3 9v6h4l5 5V4L7 9H3zm11-1v8a4.5 4.5 0 0 0 0-8zm0-4.8v2.1a7 7 0 0 1 0 13.4v2.1a9 9 0 0 0 0-17.6z',
  muted: 'M3 9v6h4l5 5V4L7 9H3zm18.4.0L20 7.6l-2.6 2.6-2.6-2.6L13.4 9l2.6 2.6-2.6 2.6 1.4 1.4 2.6-2.6 2.6 2.6 1.4-1.4-2.6-2.6z',
  cursors: 'M3 3v14l3.8-3.5 2.5 5.7 2.6-1.1-2.5-5.6H15zm11.5 1 1.3 1.5L22 12h-3l1.6 4.3-1.9.7L17 12.6z',
  keyboard:
    'M20 5H4a2 2 0 0 0-2 2v10c0 1.1.9 2 2 2h16a2 2 0 0 0 2-2V7a2 2 0 0 0-2-2zm-9 3h2v2h-2V8zm0 3h2v2h-2v-2zM8 8h2v2H8V8zm0 3h2v2H8v-2zM5 8h2v2H5V8zm0 3h2v2H5v-2zm11 6H8v-2h8v2zm0-4h-2v-2h2v2zm0-3h-2V8h2v2zm3 3h-2v-2h2v2zm0-3h-2V8h2v2z',
  paste:
    'M19 3h-4.2a3 3 0 0 0-5.6 0H5a2 2 0 0 0-2 2v15c0 1.1.9 2 2 2h14a2 2 0 0 0 2-2V5a2 2 0 0 0-2-2zm-7 0a1 1 0 1 1 0 2 1 1 0 0 1 0-2zm7 17H5V5h2v3h10V5h2v15z',
  downloads: 'M11 4h2v8.2l2.6-2.6L17 11l-5 5-5-5 1.4-1.4 2.6 2.6V4zM5 18h14v2H5v-2z',
  save: 'M5 3h11l3 3v15H5V3zm2 2v5h8V5H7zm5 7.5a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
  load: 'M4 5h6l2 2h8v12H4V5zm8 4v3H9l4 4 4-4h-3V9h-2z',
  pause: 'M6 5h4v14H6V5zm8 0h4v14h-4V5z',
  fast: 'M4 6l8 6-8 6V6zm9 0 8 6-8 6V6z',
  reset: 'M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z',
  close: 'M19 6.4 17.6 5 12 10.6 6.4 5 5 6.4 10.6 12 5 17.6 6.4 19 12 13.4 17.6 19 19 17.6 13.4 12z',
} as const;
