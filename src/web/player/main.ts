import { element } from '../lib/dom.js';
import { Session } from '../sdk/session.js';
import { AndroidTools } from './page/android/index.js';
import { Bar } from './page/bar.js';
import { ConsoleTools } from './page/console/index.js';
import { ControlNotice } from './page/control-notice.js';
import { FilesCorner } from './page/files/index.js';
import { fitSize, followWindow } from './page/fit.js';
import { notice } from './page/notice.js';
import { Warning } from './page/warning.js';

const options = new URLSearchParams(location.hash.slice(1));
const container = document.getElementById('session') as HTMLElement;

const warning = new Warning(() => {
  session.tell({ type: 'keepAlive' });
  session.view.focus();
});

const notes = element('div', { className: 'notes' }, warning.element);

const control = new ControlNotice(note => notes.append(note));

const session = new Session(
  container,
  location.href,
  { showCursors: options.get('cursors') === 'show' },
  {
    status: ({ is }) => {
      document.body.dataset['status'] = is;
      if (is === 'ended') warning.show(null);
      if (is === 'playing' && options.get('fit') === 'resize') fitOnce();
    },
    warning: event => warning.show(event),
    access: access => {
      bar.allow(access);
      control.changed(access);
      files.allow(access);
    },
    message: message => {
      files.message(message);
      game.message(message);
      device.message(message);
    },
    limitation: sentence => notes.append(notice(sentence)),
  },
);

let fitting = false;
function fitOnce(): void {
  if (fitting) return;
  fitting = true;
  followWindow(size => session.tell({ type: 'resize', ...fitSize(size, session.display.max_area) }));
}

const bar = new Bar(session);
const files = new FilesCorner(session, bar);
const game = new ConsoleTools(session, bar, note => notes.append(note));
const device = new AndroidTools(session, bar, note => notes.append(note));
session.answersChoosers = true;
document.body.append(notes, files.zone, files.element, bar.element);
// All other keys go to the session: this is the keyboard user's way out.
addEventListener(
  'keydown',
  ({ key, ctrlKey, altKey, shiftKey }) => {
    if (!ctrlKey || !altKey || !shiftKey || !['Control', 'Alt', 'Shift', 'Meta'].includes(key)) return;
    session.input.release();
    bar.focus();
  },
  { capture: true },
);
visualViewport?.addEventListener('resize', () => {
  // A phone's keyboard covers the page: the video moves above it.
  document.body.style.height = `${visualViewport?.height ?? innerHeight}px`;
});
if (document.hasFocus() && !matchMedia('(pointer: coarse)').matches) session.view.focus();
session.connect();
