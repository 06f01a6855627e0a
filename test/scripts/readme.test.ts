import { readFile } from 'node:fs/promises';
import t from 'tap';
import { parseConfig } from '../../src/server/config/config.js';

/** A region on a cluster. */
const KUBERNETES = { BERTH_REGIONS: 'NA=kubernetes:', BERTH_KUBERNETES_IMAGES: 'chromium=c:1.0,console=c:1.0' };

/** Names of the settings that parsing the configuration looks at. */
function settingsRead(): string[] {
  const seen = new Set<string>();
  const watched = (settings: Record<string, string>) =>
    new Proxy(settings, {
      get(_, name) {
        seen.add(String(name));
        return settings[String(name)];
      },
    });
  parseConfig(watched({}), '/');
  // Some are read only where these are set.
  parseConfig(watched({ BERTH_PROFILE_S3_BUCKET: 'profiles' }), '/');
  parseConfig(watched(KUBERNETES), '/');
  return [...seen].filter(name => name.startsWith('BERTH_')).sort();
}

/** First and second column of the tables of settings. */
async function documented(): Promise<Map<string, string>> {
  const page = await readFile('docs/reference/settings.md', 'utf8');
  const rows = page.matchAll(/^\| `(BERTH_[A-Z0-9_]+)` \| ([^|]*) \|/gm);
  return new Map([...rows].map(row => [row[1] ?? '', row[2] ?? '']));
}

t.test('the table lists exactly the settings that the service reads', async t => {
  t.same([...(await documented()).keys()].sort(), settingsRead());
});

t.test('the defaults in the table are those in force', async t => {
  const table = await documented();
  const literal = [...table].flatMap(([name, value]) => {
    const match = /^`([^`]+)`$/.exec(value);
    return match ? [[name, match[1] ?? ''] as const] : [];
  });
  const more = { BERTH_PROFILE_S3_BUCKET: 'profiles', ...KUBERNETES };
  t.same(parseConfig({ ...Object.fromEntries(literal), ...more }, '/srv'), parseConfig(more, '/srv'));
});

t.test('the README lists the fields of a start request, with their defaults', async t => {
  const readme = await readFile('README.md', 'utf8');
  const table = readme.slice(readme.indexOf('| field | default |'), readme.indexOf('`POST /console` takes'));
  const rows = [...table.matchAll(/^\| (`[a-z_`, ]+`) \| ([^|]*) \| [^|]+ \|$/gm)].flatMap(
    ([, names = '', defaults = '']) => {
      const fields = [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
      return fields.map((name, index) => [name, fields.length > 1 ? defaults.split(', ')[index] : defaults] as const);
    },
  );
  const { properties } = JSON.parse(await readFile('schemas/start-chromium.json', 'utf8')) as Schema;
  const current = Object.entries(properties).filter(([, { deprecated }]) => !deprecated);
  t.same(rows.map(([name]) => name).sort(), current.map(([name]) => name).sort());
  for (const [name, value] of rows) {
    const expected = properties[name]?.default;
    if (expected !== undefined) t.equal(value?.replaceAll('`', ''), String(expected), name);
  }
});

interface Schema {
  readonly properties: Record<string, { readonly default?: unknown; readonly deprecated?: boolean }>;
}
