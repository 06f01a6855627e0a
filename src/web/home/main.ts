/** The page at the service's own address: what it is, and a first session for whoever has an API key. */
import { langOf, say, sayError, speak } from '../languages/page.js';
import { Service, type StartedSession } from './service.js';

const lang = langOf(new URLSearchParams(location.hash.slice(1)).get('lang'));
await speak(lang === undefined ? navigator.languages : [lang], new URL('assets', location.href).href);

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

const form = find<HTMLFormElement>('start');
const key = find<HTMLInputElement>('key');
const submit = find<HTMLButtonElement>('submit');
const running = find('running');
const open = find<HTMLAnchorElement>('open');
const end = find<HTMLButtonElement>('end');
const problem = find('problem');
const [startLabel, endLabel] = [submit.textContent, end.textContent];

let started: { readonly service: Service; readonly session: StartedSession } | undefined;

/** Does what a button is for, which says so meanwhile; what goes wrong is shown. */
async function act(button: HTMLButtonElement, meanwhile: string, label: string | null, doing: () => Promise<void>) {
  problem.textContent = '';
  button.disabled = true;
  button.textContent = meanwhile;
  try {
    await doing();
  } catch (error) {
    problem.textContent = sayError(error);
  } finally {
    button.disabled = false;
    button.textContent = label;
  }
}

/** Shows the running session, or the form to start one. */
function show(): void {
  form.hidden = started !== undefined;
  running.hidden = started === undefined;
  if (started === undefined) return submit.focus();
  open.href = started.session.embedUrl;
  open.focus();
}

form.addEventListener('submit', event => {
  event.preventDefault();
  void act(submit, say('starting'), startLabel, async () => {
    const service = new Service(key.value.trim());
    started = { service, session: await service.start() };
    show();
  });
});

end.addEventListener('click', () => {
  void act(end, say('ending'), endLabel, async () => {
    if (started !== undefined) await started.service.end(started.session);
    started = undefined;
    show();
  });
});

find('command').textContent = [
  `curl -X POST ${new URL('v0/vm', location.href).href} \\`,
  `  -H "Authorization: Bearer $API_KEY"`,
].join('\n');
