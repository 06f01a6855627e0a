/** Styles inside the shadow root: black around the video, the status text at its centre. */
export const VIEW_STYLES = `
:host { display: block; position: relative; overflow: hidden; background: #0b0d10;
  -webkit-tap-highlight-color: transparent; }
.stage { position: absolute; inset: 0; touch-action: none; user-select: none; -webkit-user-select: none;
  -webkit-touch-callout: none; outline: none; }
.stage > * { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; pointer-events: none; }
.cursors { position: absolute; overflow: hidden; pointer-events: none; }
.cursors[hidden] { display: none; }
.cursor { position: absolute; left: 0; top: 0; color: var(--colour); transform-origin: 0 0;
  transform: scale(calc(1 / var(--zoom, 1))); }
.cursor svg { display: block; width: 16px; height: 21px; margin: -1px 0 0 -1px; fill: currentColor; stroke: #fff;
  stroke-width: 1.5; stroke-linejoin: round; }
.cursor span { position: absolute; left: 12px; top: 17px; padding: 1px 7px; border-radius: 4px 9px 9px; color: #fff; white-space: nowrap;
  background: var(--colour); font: 600 12px/1.4 system-ui, sans-serif; opacity: 0; transition: opacity .3s; }
.cursor.named span { opacity: 1; }
.held { position: absolute; left: -40px; top: -40px; width: 80px; height: 80px; box-sizing: border-box;
  border-radius: 50%; border: 3px solid #fff; box-shadow: 0 0 0 2px rgb(0 0 0 / 45%); pointer-events: none; }
.held[hidden] { display: none; }
.keys { position: absolute; left: 0; top: 0; width: 1px; height: 1.4em; padding: 0; margin: 0; border: 0; opacity: 0;
  resize: none; overflow: hidden; font: 16px/1.4 system-ui, sans-serif; pointer-events: none; outline: none; }
.keys.composing { opacity: 1; width: 16em; max-width: 60%; background: #fff; color: #111; border-radius: 3px;
  padding: 0 4px; }
.status { position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: 14px;
  padding: 24px; text-align: center; color: #e8eaed; font: 500 17px/1.45 system-ui, sans-serif; pointer-events: none;
  background: rgb(11 13 16 / 72%); opacity: 0; transition: opacity .15s; }
.status.shown { opacity: 1; }
.status.over, .status.private { background: #14171c; }
.status p { margin: 0; max-width: 30em; text-wrap: balance; }
.spinner { width: 30px; height: 30px; border-radius: 50%; border: 3px solid rgb(255 255 255 / 18%);
  border-top-color: #8ab4f8; animation: turn .9s linear infinite; }
.status:not(.busy) .spinner { display: none; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.ring { position: absolute; inset: 0; border: 3px solid #8ab4f8; outline: 2px solid #14171c; outline-offset: -5px;
  pointer-events: none; }
.ring[hidden] { display: none; }
.way-out { position: absolute; top: 12px; left: 50%; width: max-content; max-width: min(34em, 90%); margin: 0;
  box-sizing: border-box; padding: 9px 18px; border: 1px solid #59616e; border-radius: 14px; background: #14171c;
  color: #e8eaed; font: 500 14px/1.4 system-ui, sans-serif; text-align: center; transform: translateX(-50%);
  pointer-events: none; visibility: hidden; }
.way-out.shown { animation: told 8s; }
@keyframes told { from { visibility: visible; } to { visibility: hidden; } }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .spinner { animation: none; } .status, .cursor span { transition: none; } }
@media (forced-colors: active) { .spinner, .cursor, .held { forced-color-adjust: none; } }
.asks { position: absolute; left: 50%; bottom: 24px; transform: translateX(-50%); display: flex; gap: 10px;
  flex-wrap: wrap; justify-content: center; width: max-content; max-width: 90%; }
.asks button { all: unset; box-sizing: border-box; display: flex; align-items: center; gap: 8px; cursor: pointer;
  padding: 11px 20px; border: 2px solid transparent; border-radius: 999px; background: #fff; color: #17191c; font: 600 15px/1.2 system-ui, sans-serif;
  box-shadow: 0 4px 18px rgb(0 0 0 / 45%); }
.asks button:hover { background: #e8f0fe; }
.asks button:focus-visible { outline: 3px solid #8ab4f8; outline-offset: 2px; }
.asks button[hidden] { display: none; }
.asks svg { width: 18px; height: 18px; fill: currentColor; }
`;
