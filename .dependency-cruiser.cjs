/**
 * Which code may import which: the floors of docs/explanation/architecture.md. `npm run floors` checks them, and so do the unit
 * tests. A folder of src/server imports from floors below its own, or from its own floor where that makes no circle.
 */

/** The folders of src/server, the lowest floor first. What lies above them all is put together in src/server itself. */
const FLOORS = [
  ['lib', 'secrets'],
  ['config', 'model'],
  ['audit', 'engines', 'extensions', 'games', 'outbound', 'profiles', 'store', 'webhooks'],
  ['agent-link'],
  ['media'],
  ['participants'],
  ['sessions'],
  ['http'],
];

/** The parts of the project, and the parts that each may import. */
const PARTS = {
  lib: [],
  protocol: [],
  adb: [],
  h264: [],
  client: ['protocol'],
  extensions: ['protocol'],
  web: ['protocol', 'h264'],
  agent: ['lib', 'protocol', 'adb', 'h264'],
  server: ['lib', 'protocol', 'adb'],
};

/** The folders of src/web, the lowest floor first. */
const WEB_FLOORS = [['lib'], ['languages'], ['controls', 'media'], ['sdk'], ['home', 'hosted', 'player', 'react']];

/** The folders of src/agent, the lowest floor first. What lies above them all is put together in src/agent itself. */
const AGENT_FLOORS = [
  ['lib'],
  ['handover'],
  ['link', 'process'],
  ['desktop', 'display', 'files', 'profile', 'screenshot'],
  ['session'],
  ['android', 'browser', 'console'],
  ['kinds'],
];

const anyOf = names => `(${names.join('|')})`;

const upward = (part, floors) =>
  floors.map((floor, level) => ({
    name: `not-upward-from-${part}-${floor[0]}`,
    comment: `${floor.join(', ')}: what is above may use them, not the other way round.`,
    severity: 'error',
    from: { path: `^src/${part}/${anyOf(floor)}/` },
    to: {
      path: [...floors.slice(level + 1).map(above => `^src/${part}/${anyOf(above)}/`), `^src/${part}/[^/]+\\.ts$`],
    },
  }));

const parts = Object.entries(PARTS).map(([part, allowed]) => ({
  name: `not-outside-${part}`,
  comment: `src/${part} runs by itself; what it shares with others is in src/protocol, src/adb, src/h264 or src/lib.`,
  severity: 'error',
  from: { path: `^src/${part}/` },
  to: { path: '^src/', pathNot: `^src/${anyOf([part, ...allowed])}/` },
}));

module.exports = {
  forbidden: [
    ...upward('server', FLOORS),
    ...upward('web', WEB_FLOORS),
    ...upward('agent', AGENT_FLOORS),
    {
      name: 'programs-apart',
      comment: 'What runs in one kind of session knows nothing of the others.',
      severity: 'error',
      from: { path: '^src/agent/(android|browser|console)/' },
      to: { path: '^src/agent/(android|browser|console)/', pathNot: '^src/agent/$1/' },
    },
    ...parts,
    {
      name: 'through-the-index',
      comment: "A folder's index.ts is what others may use of it; lib is a collection of independent files.",
      severity: 'error',
      from: { path: '^src/server/([^/]+)/' },
      to: {
        path: '^src/server/[^/]+/',
        pathNot: ['^src/server/$1/', '^src/server/lib/', '^src/server/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'through-the-index-from-above',
      severity: 'error',
      from: { path: '^src/server/[^/]+\\.ts$' },
      to: { path: '^src/server/[^/]+/', pathNot: ['^src/server/lib/', '^src/server/[^/]+/index\\.ts$'] },
    },
    {
      name: 'player-on-the-public-sdk',
      comment: 'The player page is an integrator of the SDK like any other.',
      severity: 'error',
      from: { path: '^src/web/player/' },
      to: { path: '^src/web/sdk/', pathNot: '^src/web/sdk/index\\.ts$' },
    },
    {
      name: 'no-circles',
      comment: 'Files that import each other in a circle, even if only types, cannot be read or tested apart.',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true, pathNot: 'generated' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
