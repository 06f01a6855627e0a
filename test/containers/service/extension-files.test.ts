// tags: containers
/**
 * No extension reads a file of its session's container: not one that comes with the start, which Chromium would let by
 * default, nor one that is installed, whatever a saved profile says. Each way is tried on a page of the web as well,
 * where it must lead to the content: none is refused only because it is tried wrongly.
 */
import t, { type Test } from 'tap';
import { containerOf, shell } from '../../fixtures/engines/docker.js';
import { multipart } from '../../fixtures/extensions/files.js';
import { newKey } from '../../fixtures/extensions/key.js';
import { isStolen, SECRET_PAGE, ThiefSite, type Thief } from '../../fixtures/extensions/file-thief.js';
import { startService } from '../../fixtures/services/service.js';

const PATH = '/tmp/secret.html';
const SWITCH = 'newAllowFileAccess';
const PREFERENCES = '/home/berth/profile/Default/Preferences';
const BROWSER = "pgrep -o -f '^/usr/lib/chromium/chromium .*--user-data-dir'";
const AGENT = "pgrep -f '^node .*agent/load.cjs'";

const service = await startService(t, { BERTH_EGRESS: 'open' });
const site = await ThiefSite.open(t);

/** Starts a session with an extension, and puts the file into its container. */
async function start(t: Test, { zip }: Thief): Promise<string> {
  const body = multipart({ width: 800, height: 600, extension: { field: 'ext' } }, { ext: zip });
  const authorization = `Bearer ${service.apiKey}`;
  const response = await fetch(`${service.url}/v0/vm`, { method: 'POST', body, headers: { authorization } });
  const answer = (await response.json()) as { session_id: string };
  if (response.status !== 201) throw new Error(`not started: ${JSON.stringify(answer)}`);
  t.teardown(() => service.api('DELETE', `/v0/vm/${answer.session_id}`));
  const container = containerOf(service, answer.session_id);
  await run(container, `cat > ${PATH} <<'END'\n${SECRET_PAGE}\nEND`);
  return container;
}

async function run(container: string, script: string): Promise<string> {
  const { status, output } = await shell(container, script);
  if (status !== 0) throw new Error(`status ${status}: ${output}`);
  return output;
}

/**
 * Kills Chromium and changes its preferences by a program (`settings` is `extensions.settings`) before the agent, which
 * is held meanwhile, starts it again.
 */
async function restartBrowser(container: string, program: string): Promise<void> {
  const script = `
    const { readFileSync, writeFileSync } = require('node:fs');
    const preferences = JSON.parse(readFileSync('${PREFERENCES}', 'utf8'));
    const settings = preferences.extensions.settings;
    ${program};
    writeFileSync('${PREFERENCES}', JSON.stringify(preferences));`;
  await run(
    container,
    `browser=$(${BROWSER}); agent=$(${AGENT}); kill -STOP $agent; kill -9 $browser
    while kill -0 $browser 2>/dev/null && ! grep -q '^State:.Z' /proc/$browser/status; do sleep 0.05; done
    node -e "$0"; status=$?; kill -CONT $agent; exit $status`.replace('"$0"', `'${script.replaceAll("'", `'\\''`)}'`),
  );
}

async function stealsNothing(t: Test, thief: Thief, what: string): Promise<string> {
  const { id, got } = await thief.steal(`file://${PATH}`);
  t.ok(Object.keys(got).length >= 19);
  for (const [way, text] of Object.entries(got)) t.notOk(isStolen(text), `${what}: ${way}: ${text.slice(0, 200)}`);
  return id;
}

async function stealsFromTheWeb(t: Test, thief: Thief): Promise<void> {
  const { got } = await thief.steal(`${site.origin}/secret`);
  for (const [way, text] of Object.entries(got)) t.ok(isStolen(text), `from the web: ${way}: ${text.slice(0, 200)}`);
}

t.test('an extension uploaded with the start cannot read files', async t => {
  const thief = site.thief('uploaded');
  const container = await start(t, thief);
  await stealsFromTheWeb(t, thief);
  t.match(await run(container, 'cat /tmp/downloads/stolen*'), SECRET_PAGE, 'from the web it saves');
  await run(container, 'rm /tmp/downloads/stolen*');
  await stealsNothing(t, thief, 'as it came');
  t.equal(await run(container, 'ls /tmp/downloads'), '');

  // Chromium forgets the switch with the extension, and the next start loads it again.
  await thief.leave();
  await restartBrowser(container, '');
  await stealsNothing(t, thief, 'after it was removed');
});

t.test('nor can one with a key, or one that is installed', async t => {
  const { key, id } = newKey();
  const thief = site.thief('with a key', { key: `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----` });
  const container = await start(t, thief);
  t.equal(await stealsNothing(t, thief, 'with a key'), id);

  // A saved profile may bring one, with the switch on.
  const installed = site.thief('installed');
  const own = newKey();
  await restartBrowser(container, placing(own));
  await stealsFromTheWeb(t, installed);
  t.equal(await stealsNothing(t, installed, 'installed'), own.id);
  await stealsNothing(t, thief, 'with a key, after another start');
});

/** A program that makes of the uploaded extension an installed one, called "installed", and switches everything on. */
function placing({ key, id }: { key: string; id: string }): string {
  const config = `const ORIGIN = ${JSON.stringify(site.origin)}, WHO = "installed";`;
  return `
    const folder = '/home/berth/profile/Default/Extensions/${id}/1.0_0';
    require('node:fs').cpSync('/home/berth/extensions/custom', folder, { recursive: true });
    writeFileSync(folder + '/config.js', ${JSON.stringify(config)});
    const manifest = { ...JSON.parse(readFileSync(folder + '/manifest.json', 'utf8')), key: '${key}' };
    writeFileSync(folder + '/manifest.json', JSON.stringify(manifest));
    const hosts = manifest.host_permissions;
    const permissions = { api: manifest.permissions, explicit_host: hosts, scriptable_host: hosts, manifest_permissions: [] };
    settings['${id}'] = {
      path: '${id}/1.0_0', location: 1, state: 1, manifest, creation_flags: 1, from_webstore: false,
      active_permissions: permissions, granted_permissions: permissions,
      install_time: '13300000000000000', first_install_time: '13300000000000000',
    };
    for (const id in settings) settings[id].${SWITCH} = true`;
}
