/** The declarations of the calls, held against their table in docs/reference/protocol.md, and what they let through. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import type { CallHandlers } from '../../src/agent/link/calls.js';
import { type AgentCallsOf, type CallDeclaration, CALLS, type MethodsOf } from '../../src/protocol/calls.js';
import { schemas } from '../../src/protocol/generated/schemas.js';
import type { MakeCall } from '../../src/protocol/make-call.js';
import type { CallContext } from '../../src/server/participants/calls.js';

const { $defs } = schemas['session-calls.json'] as { $defs: Record<string, { tsType?: string }> };

/** Names of the arguments: `[latitude, longitude, altitude?]`. */
const namesOf = (args: string) =>
  `[${[...($defs[args]?.tsType ?? '').matchAll(/(\w+\??): /g)].map(([, name]) => name).join(', ')}]`;

t.test('the protocol’s table has each call as it is declared', async t => {
  const page = await readFile('docs/reference/protocol.md', 'utf8');
  const rows = page
    .split('\n')
    .filter(line => /^\| `[\w.<>]+( \[.*\])?` \| (any|browser|console|device|uploads) \|/.test(line));
  const expected = Object.entries<CallDeclaration>(CALLS)
    .filter(([name]) => !name.startsWith('tabs.'))
    .map(([name, { args, session, needs, control, answeredBy, errors }]) => {
      const codes = errors.map(code => `\`${code}\``).join(', ');
      const need = control ? `${needs}, control` : needs;
      return `| \`${name} ${namesOf(args)}\` | ${session ?? 'any'} | ${need} | ${answeredBy} | ${codes || '–'} |`;
    });
  t.same(rows, ['| `tabs.<method>` | browser | readTabs, changeTabs | agent | `tab_error` |', ...expected]);
});

/**
 * What must not compile, in each of the places where a call stands: the type check refuses this file if one of the
 * errors that it expects is missing.
 */
export function mistakes(call: MakeCall, agent: CallContext['agent']): unknown[] {
  // @ts-expect-error -- the agent of a console has more calls than one
  const lacking: CallHandlers<AgentCallsOf<'nes'>> = { 'console.reset': () => undefined };
  const unknown: CallHandlers<'console.reset'> = {
    'console.reset': () => undefined,
    // @ts-expect-error -- there is no such call
    'console.explode': () => undefined,
  };
  const wrong: CallHandlers<'console.pause' | 'android.logs'> = {
    // @ts-expect-error -- the game is paused or not, by a boolean
    'console.pause': (slot: number) => slot,
    // @ts-expect-error -- the log is a text
    'android.logs': () => 7,
  };
  // @ts-expect-error -- a method is missing
  const methods: Record<MethodsOf<'console'>, unknown> = { saveState: 0, loadState: 0, pause: 0, fastForward: 0 };
  return [
    lacking,
    unknown,
    wrong,
    methods,
    // @ts-expect-error -- there is no such call of viewers
    call('console.explode', []),
    // @ts-expect-error -- slots have numbers
    call('console.saveState', ['first']),
    // @ts-expect-error -- the service answers it by itself
    agent('addRoles', [['user'], ['control']]),
    // @ts-expect-error -- only the service makes it
    call('swipe', ['left']),
  ];
}
