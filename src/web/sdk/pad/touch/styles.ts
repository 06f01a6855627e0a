/** The on-screen pad inside the shadow root. */
export const TOUCH_PAD_STYLES = `
.pad { position: absolute; inset: auto 0 0; display: flex; justify-content: space-between; align-items: flex-end;
  padding: 0 max(4px, env(safe-area-inset-right)) max(28px, env(safe-area-inset-bottom)) max(4px, env(safe-area-inset-left));
  pointer-events: none; font: 600 calc(7 * var(--unit))/1 system-ui, sans-serif; letter-spacing: .03em;
  -webkit-tap-highlight-color: transparent; forced-color-adjust: none; --body: rgb(30 33 40 / 94%); --edge: #59616e; --held: #8ab4f8; }
.pad[hidden] { display: none; }
.pad, .pad * { user-select: none; -webkit-user-select: none; -webkit-touch-callout: none; touch-action: none;
  box-sizing: border-box; }
.half { position: relative; flex: none; pointer-events: auto; }
.part { position: absolute; transform: translate(-50%, -50%); display: grid; place-items: center; border-radius: 999px;
  --tint: #d3d8e0; color: var(--tint); background: var(--body); border: max(1.5px, .8 * var(--unit)) solid var(--edge);
  pointer-events: none; }
.part.tinted { border-color: var(--tint); }
.part.round { font-size: calc(12 * var(--unit)); }
.part.held { background: var(--tint); border-color: var(--tint); color: #14171c; }
.part svg { width: 62%; height: 62%; fill: none; stroke: currentColor; stroke-width: 2.6; stroke-linecap: round;
  stroke-linejoin: round; }
.pad.over { --body: rgb(30 33 40 / 45%); }
.pad.over .part { opacity: .75; }
.part.cross, .part.cross.held { border: 0; background: none; color: var(--tint); }
.cross svg { width: 100%; height: 100%; fill: var(--body); stroke: var(--edge); stroke-width: .4; }
.cross svg .arm { fill: currentColor; stroke: none; }
.cross svg .arm.held { fill: var(--held); }
.part.stick, .part.stick.held { background: var(--body); border-color: var(--edge); }
.thumb { width: 54%; height: 54%; border-radius: 50%; background: var(--edge); box-shadow: 0 2px 8px rgb(0 0 0 / 50%); }
.stick.held .thumb { background: var(--held); }
`;
