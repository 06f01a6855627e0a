import { isTabMethod, TAB_EVENTS, type TabEvent } from '../../protocol/tabs.js';
import type { PendingSession } from '../sdk/berth-session.js';
import type { Permissions, Role } from '../sdk/permissions.js';
import type { Tabs } from '../../protocol/api/tabs.js';
import type { ClientCall, TellClient } from './messages.js';

/** What calls of the client are made of. */
export type CalledSession = Pick<
  PendingSession,
  'setPermissions' | 'addRoles' | 'removeRoles' | 'enablePrivacyMode' | 'disablePrivacyMode'
> & {
  tabs: Tabs;
  resize(width: number, height: number): Promise<void>;
};

type Method = (...args: never[]) => unknown;
type Listener = (...args: unknown[]) => void;

/** Answers the client's calls by those of the SDK. */
export class ClientCalls {
  readonly #session: CalledSession;
  readonly #tell: TellClient;
  /** The newest call of each number: a late answer to one that was given up must not answer the next. */
  readonly #open = new Map<number, ClientCall>();
  /** By the number of the call that registered them. */
  readonly #listeners = new Map<unknown, Listener>();

  constructor(session: CalledSession, tell: TellClient) {
    this.#session = session;
    this.#tell = tell;
  }

  /** Makes a call, and tells its result or its error. */
  async call(call: ClientCall): Promise<void> {
    const { i } = call;
    this.#open.set(i, call);
    const answer = await this.#answer(call).then(
      r => ({ i, r }),
      (error: unknown) => ({ i, r: undefined, e: error instanceof Error ? error.message : String(error) }),
    );
    if (this.#open.get(i) !== call) return;
    this.#open.delete(i);
    this.#tell(answer);
  }

  async #answer({ m, a, i }: ClientCall): Promise<unknown> {
    const [, event = '', change] = /^tabs\.(\w+)\.(addListener|removeListener)$/.exec(m) ?? [];
    if (isTabEvent(event)) return change === 'addListener' ? this.#add(event, i) : this.#remove(event, a[0]);
    if (m.startsWith('tabs.')) return this.#tabs(m.slice('tabs.'.length), a);
    const session = this.#session;
    switch (m) {
      case 'resize':
        await session.resize(a[0] as number, a[1] as number);
        break;
      case 'setPermissions':
        await session.setPermissions(a[0] as string, a[1] as Permissions);
        break;
      case 'addRoles':
        await session.addRoles(a[0] as string[], a[1] as Role[], a[2] as boolean | undefined);
        break;
      case 'removeRoles':
        await session.removeRoles(a[0] as string[], a[1] as Role[], a[2] as boolean | undefined);
        break;
      case 'enablePrivacyMode':
        await session.enablePrivacyMode(a[0] as string);
        break;
      case 'disablePrivacyMode':
        await session.disablePrivacyMode();
        break;
      default:
        throw new Error(`This service has no ${m}.`);
    }
    return true;
  }

  async #tabs(name: string, args: unknown[]): Promise<unknown> {
    if (!isTabMethod(name)) throw new Error(`This service has no tabs.${name}.`);
    const method = this.#session.tabs[name] as Method;
    // What has no result is undefined in pages, and null in messages.
    return (await method(...(args as never[]))) ?? undefined;
  }

  /** The answer is told before any event, since both have the same number. */
  #add(event: TabEvent, i: number): void {
    const listener: Listener = (...args) => {
      if (!this.#open.has(i)) this.#tell({ i, r: args });
    };
    this.#remove(event, i);
    this.#listeners.set(i, listener);
    this.#session.tabs[event].addListener(listener);
  }

  #remove(event: TabEvent, i: unknown): void {
    const listener = this.#listeners.get(i);
    if (listener === undefined) return;
    this.#listeners.delete(i);
    this.#session.tabs[event].removeListener(listener);
  }
}

const EVENTS: ReadonlySet<string> = new Set(TAB_EVENTS);

const isTabEvent = (name: string): name is TabEvent => EVENTS.has(name);
