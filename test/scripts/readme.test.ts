import { readFile } from 'node:fs/promises';
import t from 'tap';
import { parseConfig } from '../../src/server/config/config.js';

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
  // Some are read only where this one is set.
  parseConfig(watched({ BERTH_PROFILE_S3_BUCKET: 'profiles' }), '/');
  return [...seen].filter(name => name.startsWith('BERTH_')).sort();
}

/** First and second column of the configuration table. */
async function documented(): Promise<Map<string, string>> {
  const readme = await readFile('README.md', 'utf8');
  const rows = readme.matchAll(/^\| `(BERTH_[A-Z0-9_]+)` \| ([^|]*) \|/gm);
  return new Map([...rows].map(row => [row[1] ?? '', row[2] ?? '']));
}

t.test('the README lists exactly the settings that the service reads', async t => {
  t.same([...(await documented()).keys()].sort(), settingsRead());
});

t.test('the defaults in the README are those in force', async t => {
  const table = await documented();
  const literal = [...table].flatMap(([name, value]) => {
    const match = /^`([^`]+)`$/.exec(value);
    return match ? [[name, match[1] ?? ''] as const] : [];
  });
  const bucket = { BERTH_PROFILE_S3_BUCKET: 'profiles' };
  t.same(parseConfig({ ...Object.fromEntries(literal), ...bucket }, '/srv'), parseConfig(bucket, '/srv'));
});
