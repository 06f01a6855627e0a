import { element } from '../lib/dom.js';
import { mount } from '../sdk/index.js';
import { addAndroidTools } from './page/android.js';
import { Announcer } from './page/announcer.js';
import { Bar } from './page/bar.js';
import { ConsoleTools } from './page/console/index.js';
import { ControlNotice } from './page/control-notice.js';
import { DialogCard } from './page/dialog-card.js';
import { FilesCorner } from './page/files/index.js';
import { FOCUS_LOST } from './page/focus.js';
import { fitSize, followSize } from './page/fit.js';
import { notice } from './page/notice.js';
import { PeopleList } from './page/people.js';
import { langOf, say, speak } from '../languages/page.js';
import { Warning } from './page/warning.js';
import { WindowList } from './page/windows.js';

const options = new URLSearchParams(location.hash.slice(1));
const lang = langOf(options.get('lang'));
await speak(lang === undefined ? navigator.languages : [lang], new URL('../assets', location.href).href);

const container = document.getElementById('session') as HTMLElement;
const notes = element('div', { className: 'notes' });
const messages = element('div', { className: 'messages' });
// What is added to it is read aloud.
messages.setAttribute('role', 'log');
const show = (note: HTMLElement) => messages.append(note);
const tell = (sentence: string) => show(notice(sentence));

let reportPlaying = () => {};
const playing = new Promise<void>(resolve => (reportPlaying = resolve));
let game: ConsoleTools | undefined;
let asked: DialogCard | undefined;
let hasControl = false;

/** What the address says that the viewer is called. */
const nameOf = (name: string | null) => (name === null ? {} : { name: name.slice(0, 256) });

const session = mount(container, location.href, {
  ...(lang === undefined ? {} : { lang }),
  ...nameOf(options.get('name')),
  showCursors: options.get('cursors') === 'show',
  onConnectionStateChange: ({ state }) => state === 'playing' && reportPlaying(),
  onDisconnect: () => {
    document.body.dataset['status'] = 'ended';
    warning.show(null);
  },
  onCloseWarning: event => warning.show(event),
  onAccessChange: access => {
    bar.allow(access);
    control.update(access);
    files.allow(access);
    windows.allow(access);
    people.allow(access);
    hasControl = access.control;
    asked?.allow(hasControl);
  },
  onPrivacyChange: privacy => people.updatePrivacy(privacy),
  onSeats: seats => game?.showSeats(seats),
  onGameState: state => game?.showState(state),
  onDownload: download => files.addDownload(download),
  onFileChooser: chooser => files.showChooser(chooser),
  onDialogs: dialogs => asked?.update(dialogs),
  onUsers: users => people.update(users),
  onWindows: all => windows.update(all),
  onNotice: tell,
  onKeyboardLeave: () => bar.focus(),
});

const warning = new Warning(() => {
  session.ping();
  session.focus();
});
const control = new ControlNotice(show);
const bar = new Bar(session);
const announcer = new Announcer();
const files = new FilesCorner(session, bar, tell, announcer.tell);
const windows = new WindowList(session, show);
const people = new PeopleList(session, bar, show);
notes.append(warning.element, messages);
const around = element('section', {}, notes, files.zone, files.element, bar.element, windows.element, people.element);
around.setAttribute('aria-label', say('session'));
document.body.append(around, announcer.element);

session.joined.then(
  joined => {
    if (joined.kind === 'android') addAndroidTools(joined, bar, show);
    else if (joined.kind === 'chromium') {
      asked = new DialogCard(joined, card => files.element.append(card));
      asked.allow(hasControl);
    } else game = new ConsoleTools(joined, bar, show);
    if (options.get('fit') !== 'resize') return;
    void playing.then(() =>
      followSize(container, size => {
        const { width, height } = fitSize(size, session.maxArea);
        session.resize(width, height);
      }),
    );
  },
  // The container says why.
  () => undefined,
);

addEventListener(FOCUS_LOST, () => session.focus());
for (const type of ['resize', 'scroll']) {
  visualViewport?.addEventListener(type, () => {
    // A phone's keyboard covers the page: the bar moves above it.
    document.body.style.top = `${visualViewport?.offsetTop ?? 0}px`;
    document.body.style.height = `${visualViewport?.height ?? innerHeight}px`;
  });
}
if (document.hasFocus() && !matchMedia('(pointer: coarse)').matches) session.focus();
