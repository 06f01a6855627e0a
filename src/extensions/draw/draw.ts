/** Draws over the page that it runs in. */
import { control } from './controls.js';
import { add } from './history.js';
import { intercept } from './interception.js';
import { Overlay } from './overlay.js';
import { Pointer } from './pointer.js';
import { load, save } from './settings.js';
import { after, COLORS, INITIAL, isPossible, lineWidth, type Action, type State } from './state.js';
import { CSS } from './style.js';
import { Surface } from './surface.js';
import { Toolbar } from './toolbar.js';

function start(): void {
  let state: State = INITIAL;
  let place: { left: number; top: number } | undefined;
  const strokes = () => (pointer.stroke ? [...state.history.present, pointer.stroke] : state.history.present);
  const surface = new Surface(strokes);
  const { canvas } = surface;
  const toolbar = new Toolbar();
  const pointer = new Pointer({
    begin: () => {
      const { tool, color } = state;
      return tool === 'none' ? null : { kind: tool, color: COLORS[color], width: lineWidth(state) };
    },
    grown(stroke, from, ended) {
      surface.extend(stroke, from, ended);
      if (ended) show({ ...state, history: add(state.history, stroke) });
    },
    dragged(left, top) {
      place = { left, top };
      toolbar.moveTo(left, top);
    },
  });
  const overlay = new Overlay(CSS, () => listen());
  const { host, shadow } = overlay;

  function show(next: State): void {
    state = next;
    toolbar.show(state);
    // A canvas over everything slows down every frame of the page, so it exists only while needed.
    canvas.hidden = !state.visible || (state.tool === 'none' && state.history.present.length === 0);
    canvas.classList.toggle('active', state.tool !== 'none');
  }

  function act(action: Action): void {
    if (!isPossible(state, action)) return;
    const { open } = state;
    show(after(state, action));
    surface.redraw();
    if (state.open !== open) {
      if (place) toolbar.moveTo(place.left, place.top);
      if (state.open) toolbar.focus();
    }
    keep();
  }

  const keep = () => save({ color: state.color, width: state.width, ...(place ? { place } : {}) });

  const listen = intercept(host, event =>
    control(event, {
      shadow,
      canvas,
      toolbar,
      pointer,
      act,
      isOpen: () => state.open,
      released: () => place && keep(),
    }),
  );

  shadow.append(canvas, toolbar.element);
  show(state);
  overlay.show();
  addEventListener('scroll', surface.redraw, { passive: true });
  addEventListener('resize', () => {
    surface.redraw();
    if (place) toolbar.moveTo(place.left, place.top);
  });
  void load().then(settings => {
    if (!settings) return;
    ({ place } = settings);
    if (place) toolbar.moveTo(place.left, place.top);
    show({ ...state, color: settings.color, width: settings.width });
  });
}

// Images, feeds and the like have no document to attach to.
if (document instanceof HTMLDocument && document.documentElement instanceof HTMLElement) start();
