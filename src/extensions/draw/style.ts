/** Styles of the overlay, isolated from those of the page. */
export const CSS = `
* { box-sizing: border-box }
[hidden] { display: none !important }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none }
canvas.active { pointer-events: auto; cursor: crosshair; touch-action: none }
.tools {
  position: absolute; right: 10px; top: 50%; translate: 0 -50%; pointer-events: auto;
  max-height: 100vh; overflow: auto; scrollbar-width: none; user-select: none; -webkit-user-select: none;
  font: 13px/1 system-ui, sans-serif; color: #1d2129;
}
button {
  all: unset; box-sizing: border-box; display: grid; place-items: center; width: 30px; height: 28px; border-radius: 7px;
  cursor: pointer; transition: background-color .1s;
}
button:hover { background: #0f172a14 }
button:focus-visible { outline: 2px solid #2374f2; outline-offset: -2px }
button[aria-pressed=true] { background: #2374f226 }
button[aria-disabled=true] { opacity: .3; cursor: default; background: none }
svg { width: 18px; height: 18px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round }
.tools > button, .panel { background: #fffffff2; box-shadow: 0 0 0 1px #0f172a1f, 0 4px 14px #0f172a33 }
.tools > button { width: 38px; height: 38px; border-radius: 50%; margin: 8px 6px 16px 16px }
.tools > button:hover { background: #fff }
.panel { padding: 4px 5px 5px; border-radius: 12px; margin: 8px 6px 16px 16px }
.grip { height: 12px; cursor: grab; touch-action: none; display: grid; place-items: center }
.grip::before { content: ''; width: 22px; height: 3px; border-radius: 2px; background: #0f172a3d }
.grip:active { cursor: grabbing }
.group { display: grid; grid-template-columns: 30px 30px; gap: 1px; padding: 3px 0; justify-content: center }
.group + .group { border-top: 1px solid #0f172a1a }
.group:last-child { grid-template-columns: 61px; padding-bottom: 0 }
.group:last-child button { width: 61px; height: 24px }
.swatch { width: 16px; height: 16px; border-radius: 50%; box-shadow: inset 0 0 0 1px #0f172a33 }
button[aria-pressed=true] .swatch { box-shadow: inset 0 0 0 1px #0f172a33, 0 0 0 2px #fff, 0 0 0 4px #2374f2 }
.dot { border-radius: 50%; background: currentColor }
`;
