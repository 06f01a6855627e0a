// tags: long
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { tsImport } from 'tsx/esm/api';
import type { WebSocket } from 'ws';
import type * as Agents from '../../src/agent/agent.js';
import type * as Handovers from '../../src/agent/handover/handover.js';
import type * as Links from '../../src/agent/link/link.js';
import { encodeInput } from '../../src/protocol/input.js';
import type * as FakedSession from '../fixtures/services/faked-session.js';
import type * as InProcess from '../fixtures/services/in-process.js';

/** What CONTRIBUTING.md says that a kind of session consists of, but for its image: files, */
const FILES: Readonly<Record<string, string>> = {
  'schemas/start-clock.json': JSON.stringify({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'start-clock.json',
    title: 'StartClock',
    type: 'object',
    additionalProperties: false,
    properties: {
      zone: { type: 'string' },
      ...Object.fromEntries(
        ['timeout', 'tenant_id', 'region', 'profile', 'fps', 'max_area', 'tag', 'quality', 'auth', 'default_roles'].map(
          name => [name, { $ref: `start-common.json#/$defs/${name}` }],
        ),
      ),
      control_disable_default: { type: 'boolean' },
      width: { $ref: 'start-common.json#/$defs/side' },
      height: { $ref: 'start-common.json#/$defs/side' },
    },
  }),
  'src/server/model/kinds/clock.ts': `
import type { StartClock } from '../../../protocol/generated/schemas.js';
import type { Kind, Start } from './kind.js';
import { areaProblems, sessionSpec } from './start-spec.js';

const start: Start<StartClock> = {
  operations: [{ path: '/v0/clock', id: 'startClock', summary: 'Start a clock' }],
  description: 'Answers when the session runs.',
  schema: 'start-clock.json',
  required: false,
  example: { zone: 'Europe/Vienna' },
  takesExtension: false,
  errors: [],
  problems: areaProblems,
  spec: request => {
    const { display, ...spec } = sessionSpec(request, { fps: 24, hideCursor: true });
    const { zone = 'UTC' } = request;
    return { ...spec, launch: { type: 'launch', kind: 'clock', display, clock: { zone } }, rom: null };
  },
};

/** A clock on the wall. */
export const clock: Kind = {
  image: 'clock',
  start,
  profile: { kind: 'clock', owner: 'a clock', attemptMs: 1000, checkpoints: false, space: 'home' },
  seats: 0,
  gestures: () => ({}),
  pageTouch: () => false,
  withoutSecrets: launch => launch,
  pods: true,
  warmPool: 'never',
  host: { graphicsCard: false, bios: false },
  resizable: true,
  clipboardBytes: 0,
  clipboardContent: false,
  content: null,
  device: false,
  prepares: false,
};
`,
  'src/agent/kinds/clock.ts': `
import type { LaunchClock } from '../../protocol/generated/schemas.js';
import type { Kind } from './kind.js';

/** A clock on the wall, which shows the time and may be set by a key. */
export const clock: Kind<LaunchClock> = {
  program: ({ clock }, { shown, log }) => ({
    content: { folder: '/home/berth/clock', keeps: () => true },
    calls: {},
    current: [],
    start: () => {
      log.info('clock', { zone: clock.zone });
      shown();
    },
    input: event => log.info('clock set', { by: event.type }),
    stop: async () => undefined,
    finish: async () => undefined,
  }),
  withoutSecrets: launch => launch,
};
`,
};

/** and lines, with those that they come before. */
const LINES: readonly [file: string, before: string, line: string][] = [
  [
    'schemas/link.json',
    '    "launch": {\n',
    `    "launch_clock": {
      "title": "LaunchClock",
      "type": "object",
      "additionalProperties": false,
      "required": ["type", "kind", "display", "clock"],
      "properties": {
        "type": { "const": "launch" },
        "kind": { "const": "clock" },
        "display": { "$ref": "#/$defs/display" },
        "clock": {
          "title": "ClockOptions",
          "type": "object",
          "additionalProperties": false,
          "required": ["zone"],
          "properties": { "zone": { "type": "string" } }
        }
      }
    },
`,
  ],
  [
    'schemas/link.json',
    '        { "$ref": "#/$defs/launch_chromium" },\n',
    '        { "$ref": "#/$defs/launch_clock" },\n',
  ],
  ['schemas/viewer.json', '"chromium", "nes"', '"clock", '],
  ['src/protocol/calls.ts', "  chromium: ['browser'", '  clock: [],\n'],
  ['src/server/model/kinds/index.ts', 'import { n64', "import { clock } from './clock.js';\n"],
  ['src/server/model/kinds/index.ts', 'chromium, nes', 'clock, '],
  ['src/agent/kinds/index.ts', 'import type { Kind }', "import { clock } from './clock.js';\n"],
  ['src/agent/kinds/index.ts', 'chromium, nes', 'clock, '],
];

/** What is copied: whatever the type check and a service with a stand-in for its agent need. */
const COPIED = ['package.json', 'tsconfig.base.json', 'schemas', 'scripts', 'src', 'bench', 'test/fixtures'];

/** What of the copy is run. */
const ENTRY = `
export { serveInProcess } from './test/fixtures/services/in-process.js';
export { startFakedSession } from './test/fixtures/services/faked-session.js';
export { Agent } from './src/agent/agent.js';
export { Handover } from './src/agent/handover/handover.js';
export { Link } from './src/agent/link/link.js';
`;

const TIMEOUT_MS = 300_000;

t.test('a kind of session is what CONTRIBUTING.md says, and nothing else', { timeout: TIMEOUT_MS }, async t => {
  const copy = await mkdtemp(join(tmpdir(), 'berth-kind-'));
  t.teardown(() => rm(copy, { recursive: true, force: true }));
  for (const path of COPIED) await cp(path, join(copy, path), { recursive: true });
  await mkdir(join(copy, 'images/base/display/wire'), { recursive: true });
  await symlink(resolve('node_modules'), join(copy, 'node_modules'));
  for (const [file, content] of Object.entries(FILES)) await writeFile(join(copy, file), content);
  for (const [file, before, line] of LINES) {
    const path = join(copy, file);
    const source = await readFile(path, 'utf8');
    t.ok(source.includes(before), `${file} has a place for the line`);
    await writeFile(
      path,
      source.replace(before, () => line + before),
    );
  }
  const run = async (file: string, ...args: string[]) => {
    const child = spawn(join('node_modules/.bin', file), args, { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    t.equal(code, 0, `${file} ${args.join(' ')}: ${output}${errors}`);
  };
  await run('tsx', 'scripts/generate.ts');
  await run('tsc', '-p', 'src', '--noEmit');

  await writeFile(join(copy, 'all.ts'), ENTRY);
  const { serveInProcess, startFakedSession, Agent, Handover, Link } = (await tsImport(
    join(copy, 'all.ts'),
    import.meta.url,
  )) as typeof InProcess & typeof FakedSession & typeof Agents & typeof Handovers & typeof Links;
  const service = await serveInProcess(t);
  const session = await startFakedSession(t, { zone: 'Europe/Vienna', fps: 30 }, service, '/v0/clock');
  const viewer = await session.join();
  t.match(viewer.told, [{ type: 'welcome', kind: 'clock', hide_cursor: true }], 'viewers are told what it is');
  const launch = service.agent.controls.find(({ type }) => type === 'launch');
  t.match(launch, { kind: 'clock', clock: { zone: 'Europe/Vienna' }, display: { fps: 30 } });

  const logged: string[] = [];
  const log = { info: (event: string) => void logged.push(event), warn: (event: string) => t.fail(event) };
  const agent = new Agent({
    log,
    env: {},
    handover: new Handover(log, { folder: join(copy, 'handover') }),
    readyFd: undefined,
    hasDesktop: false,
    scrcpyServer: '',
    caCertificates: [],
    preparation: undefined,
  });
  const told: unknown[] = [];
  const socket = { bufferedAmount: 0, send: (message: string) => void told.push(JSON.parse(message)) };
  const link = new Link(socket as unknown as WebSocket);
  agent.start(0);
  agent.opened(link);
  agent.text(link, JSON.stringify(launch));
  t.match(told.at(-1), { type: 'state', state: 'running' }, 'the agent runs it');
  agent.binary(link, Buffer.concat([Buffer.alloc(4), encodeInput({ type: 'key', down: true, keysym: 0x61 })]));
  t.strictSame(logged.slice(-2), ['state', 'clock set'], 'and it takes the input that it knows');
  await agent.stop();
});
