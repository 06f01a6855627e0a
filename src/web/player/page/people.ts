import { element } from '../../lib/dom.js';
import type { Access, PendingSession, Privacy, SessionPerson } from '../../sdk/index.js';
import { attempt } from './actions.js';
import type { Bar } from './bar.js';
import { rememberFocus } from './focus.js';
import { ICONS } from './icons.js';
import { say } from '../../languages/page.js';

interface Row {
  readonly item: HTMLLIElement;
  readonly color: HTMLElement;
  readonly name: HTMLElement;
  readonly state: HTMLElement;
  /** For admins. */
  readonly actions: HTMLElement;
  readonly control: HTMLButtonElement;
  readonly mute: HTMLButtonElement;
  readonly private: HTMLButtonElement;
}

/** A list of who is in the session, opened by a button of the bar; admins decide there who controls it. */
export class PeopleList {
  readonly element = element('section', { className: 'people', id: 'people', hidden: true });
  readonly #title = element('h2');
  readonly #endPrivacy = this.#button(say('endPrivacy'), () => this.#session.disablePrivacyMode());
  readonly #list = element('ul');
  readonly #rows = new Map<string, Row>();
  readonly #toggle: HTMLButtonElement;
  readonly #session: PendingSession;
  readonly #bar: Bar;
  readonly #show: (note: HTMLElement) => void;
  #users: readonly SessionPerson[] = [];
  #isAdmin = false;
  #privateUser: string | null = null;
  /** Gives the focus back to what had it before the list was opened. */
  #goBack = () => {};

  /** @param show displays why a call failed */
  constructor(session: PendingSession, bar: Bar, show: (note: HTMLElement) => void) {
    this.#session = session;
    this.#bar = bar;
    this.#show = show;
    this.#toggle = bar.add(say('people'), ICONS.people, () => this.#open(this.element.hidden));
    this.#toggle.setAttribute('aria-controls', this.element.id);
    this.#toggle.setAttribute('aria-expanded', 'false');
    this.#toggle.hidden = true;
    this.element.setAttribute('aria-label', say('people'));
    this.#endPrivacy.className = 'end-privacy';
    this.element.append(this.#title, this.#endPrivacy, this.#list);
    this.element.addEventListener('keydown', event => {
      if (event.key !== 'Escape') return;
      this.#open(false);
      this.#goBack();
    });
  }

  /** The viewer's permissions have changed. */
  allow({ admin, roles }: Access): void {
    this.#isAdmin = admin;
    this.#toggle.hidden = !admin && !roles.includes('user_list');
    if (this.#toggle.hidden) this.#open(false);
    this.#update();
  }

  /** Who is here has changed. */
  update(users: readonly SessionPerson[]): void {
    this.#users = users;
    this.#update();
  }

  /** Who has the session in private has changed. */
  updatePrivacy({ userId }: Privacy): void {
    this.#privateUser = userId;
    this.#update();
  }

  /** Rows stay while their users do: one of them may have the keyboard's focus, or be pressed. */
  #update(): void {
    const hadFocus = this.element.contains(document.activeElement);
    const ids = new Set(this.#users.map(({ userId }) => userId));
    for (const [id, { item }] of this.#rows) {
      if (ids.has(id)) continue;
      this.#rows.delete(id);
      item.remove();
    }
    this.#endPrivacy.hidden = !this.#isAdmin || this.#privateUser === null;
    for (const user of this.#users) this.#fill(this.#rows.get(user.userId) ?? this.#add(user.userId), user);
    this.#title.textContent = say('peopleCount', { count: this.#users.length });
    if (!hadFocus || this.element.contains(document.activeElement)) return;
    this.#focusFirst();
    if (!this.element.contains(document.activeElement)) this.#session.focus();
  }

  #fill({ color, name, state, actions, control, mute, private: makePrivate }: Row, user: SessionPerson): void {
    const isSelf = user.userId === this.#session.userId;
    color.style.background = user.color ?? 'var(--soft)';
    name.textContent = isSelf ? say('you', { name: user.name }) : user.name;
    name.title = user.name;
    const isPrivate = user.userId === this.#privateUser;
    state.textContent = stateOf(user, isPrivate);
    actions.hidden = !this.#isAdmin;
    control.textContent = say(user.controlExclusive ? 'shareControl' : isSelf ? 'takeControl' : 'handOver');
    mute.textContent = say(user.controlDisabled ? 'allowInput' : 'muteInput');
    // The input of admins always counts.
    mute.hidden = user.admin;
    makePrivate.hidden = isPrivate;
    for (const button of actions.querySelectorAll('button'))
      button.setAttribute('aria-label', say('labelled', { label: button.textContent ?? '', name: user.name }));
  }

  #open(isOpen: boolean): void {
    this.element.hidden = !isOpen;
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) return;
    const goBack = rememberFocus(this.#session);
    this.#goBack = () => {
      // It takes no focus while it is hidden.
      this.#bar.show();
      goBack();
    };
    this.#focusFirst();
  }

  #focusFirst(): void {
    this.element.querySelector<HTMLElement>('button:not([hidden])')?.focus();
  }

  #add(id: string): Row {
    const control = this.#button('', () => this.#passControl(id));
    const mute = this.#button('', () => this.#mute(id));
    const makePrivate = this.#button(say('makePrivate'), () => this.#session.enablePrivacyMode(id));
    const leave = this.#button(say('disconnect'), () => this.#session.disconnectUser(id));
    const [color, name, state] = [
      element('i', {}),
      element('span', { className: 'name', dir: 'auto' }),
      element('span', { className: 'state' }),
    ];
    const actions = element('div', { className: 'actions' }, control, mute, makePrivate, leave);
    const item = element('li', {}, color, name, state, actions);
    const row = { item, color, name, state, actions, control, mute, private: makePrivate };
    this.#list.append(item);
    this.#rows.set(id, row);
    return row;
  }

  /** Gives a user the control alone, or lets it share what it has alone. */
  async #passControl(id: string): Promise<void> {
    const wasExclusive = this.#users.some(user => user.userId === id && user.controlExclusive);
    for (const { userId, controlExclusive } of this.#users)
      if (controlExclusive) await this.#session.setPermissions(userId, { control_exclusive: false });
    if (wasExclusive) return;
    // Without the role it would control nothing.
    await this.#session.addRoles([id], ['control']);
    await this.#session.setPermissions(id, { control_exclusive: true });
  }

  async #mute(id: string): Promise<void> {
    const user = this.#users.find(({ userId }) => userId === id);
    await this.#session.setPermissions(id, { control_disabled: !user?.controlDisabled });
  }

  /** A button that keeps the focus: the next one is probably pressed after it. */
  #button(textContent: string, call: () => Promise<unknown>): HTMLButtonElement {
    const button = element('button', { type: 'button', textContent });
    button.onclick = () => void attempt({ focus: () => undefined }, call, this.#show);
    return button;
  }
}

function stateOf({ admin, control, controlDisabled, controlExclusive }: SessionPerson, isPrivate: boolean): string {
  const does = control ? (controlExclusive ? 'controlsAlone' : 'controls') : controlDisabled ? 'inputMuted' : 'watches';
  return [...(admin ? [say('isAdmin')] : []), say(does), ...(isPrivate ? [say('inPrivate')] : [])].join(
    say('separator'),
  );
}
