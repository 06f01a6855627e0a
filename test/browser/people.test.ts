// tags: containers
/** The player's list of who is in a session. The session is a recording; what the list asks of the service is its calls. */
import t, { type Test } from 'tap';
import type { Page } from 'playwright-core';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { person } from '../fixtures/viewers/person.js';
import { openBar, openPlayer } from '../fixtures/viewers/player-page.js';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { until } from '../fixtures/until.js';

const browser = await openBrowser(t);

const ADA = person('ada', 'Ada', { admin: true, color: '#7048e8' });
const GUEST = person('guest', 'Guest 2');

/** What the page has called, with its arguments. */
const callsOf = (session: RecordedSession) =>
  session.control.flatMap(message => (message.type === 'call' ? [[message.method, message.args]] : []));

async function open(t: Test, access: object): Promise<{ session: RecordedSession; page: Page }> {
  const session = await RecordedSession.start(t);
  const methods = ['addRoles', 'setPermissions', 'disconnectUser', 'enablePrivacyMode', 'disablePrivacyMode'];
  for (const method of methods) session.results[method] = { value: {} };
  const page = await openPlayer(t, browser, session, 'secure');
  session.send({ type: 'access', admin: false, roles: ['control'], permissions: {}, ...access });
  return { session, page };
}

t.test('viewers with the role see who is here; the list follows joins, leaves and changes', async t => {
  const { session, page } = await open(t, { roles: ['control', 'user_list'] });
  session.send({ type: 'users', users: [ADA, GUEST] });
  await openBar(page);
  await page.getByRole('button', { name: 'People' }).click();
  const list = page.getByRole('region', { name: 'People' });
  await list.getByText('2 people').waitFor();
  t.match(await list.textContent(), /Ada.*admin, controls.*Guest 2.*controls/);
  t.equal(await list.getByRole('button').count(), 0, 'no actions for who is no admin');

  session.send({
    type: 'users',
    users: [ADA, { ...GUEST, name: '<b>Bo</b>', controls: false, control_disabled: true }],
  });
  await list.getByText('<b>Bo</b>').waitFor();
  t.match(await list.textContent(), /input muted/);
  session.send({ type: 'users', users: [ADA] });
  await list.getByText('1 person').waitFor();

  session.send({ type: 'access', admin: false, roles: ['control'], permissions: {} });
  await until('without the role it is gone', async () => (await list.count()) === 0);
});

t.test('an admin hands over and takes control, mutes and disconnects, all by keyboard', async t => {
  const { session, page } = await open(t, { admin: true });
  session.send({ type: 'users', users: [ADA, GUEST] });
  await page.keyboard.press('Control+Alt+Shift');
  const button = page.getByRole('button', { name: 'People' });
  for (let i = 0; i < 20 && !(await button.evaluate(node => node === document.activeElement)); i++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const focused = (name: string) =>
    until(`the focus is on ${name}`, () =>
      page.evaluate(wanted => document.activeElement?.getAttribute('aria-label') === wanted, name),
    );
  const goTo = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).waitFor();
    for (let i = 0; i < 10; i++) {
      if (await page.evaluate(wanted => document.activeElement?.getAttribute('aria-label') === wanted, name)) return;
      await page.keyboard.press('Tab');
    }
    await focused(name);
  };
  const press = async (name: string, expected: unknown[]) => {
    const before = callsOf(session).length;
    await goTo(name);
    await page.keyboard.press('Enter');
    await until(`${name} is called`, () => callsOf(session).length >= before + expected.length);
    t.same(callsOf(session).slice(before), expected, name);
  };
  await focused('Hand over: Ada');
  await press('Hand over: Guest 2', [
    ['addRoles', [['guest'], ['control'], false]],
    ['setPermissions', ['guest', { control_exclusive: true }]],
  ]);
  session.send({ type: 'users', users: [ADA, { ...GUEST, control_exclusive: true }] });
  await press('Share control: Guest 2', [['setPermissions', ['guest', { control_exclusive: false }]]]);
  await press('Mute input: Guest 2', [['setPermissions', ['guest', { control_disabled: true }]]]);
  await page.screenshot({ path: process.env['PEOPLE_PICTURE'] ?? '/dev/null', type: 'png' });
  await press('Disconnect: Guest 2', [['disconnectUser', ['guest']]]);

  await page.keyboard.press('Escape');
  await until('the list is closed', async () => !(await page.getByRole('region', { name: 'People' }).isVisible()));
});

t.test('an admin gives the session to one user in private, and ends that', async t => {
  const { session, page } = await open(t, { admin: true });
  session.send({ type: 'users', users: [ADA, GUEST] });
  await openBar(page);
  await page.getByRole('button', { name: 'People' }).click();
  await page.getByRole('button', { name: 'Make private: Guest 2' }).click();
  await until('it is called', () => callsOf(session).length === 1);
  session.send({ type: 'privacy', user_id: 'guest' });
  const sentence = page.getByText('One person has this session in private now.');
  await sentence.waitFor();
  t.equal(
    await page.locator('.status').evaluate(node => getComputedStyle(node).backgroundColor),
    'rgb(20, 23, 28)',
    'nothing of the picture is seen through it',
  );
  await page.getByText('in private').first().waitFor();
  await page.screenshot({ path: process.env['PRIVACY_PICTURE'] ?? '/dev/null', type: 'png' });
  await page.getByRole('button', { name: 'End privacy mode' }).click();
  await until('that, too', () => callsOf(session).length === 2);
  t.same(callsOf(session), [
    ['enablePrivacyMode', ['guest']],
    ['disablePrivacyMode', []],
  ]);
  session.send({ type: 'privacy', user_id: null });
  await until('the picture is back', async () => (await page.locator('.status.shown').count()) === 0);
  t.equal(await page.getByRole('button', { name: 'End privacy mode' }).isVisible(), false);
});

t.test('pointers have the names and colours of their users', async t => {
  const { session, page } = await open(t, { roles: ['control', 'cursor_data', 'user_list'] });
  session.send({ type: 'users', users: [ADA, GUEST] });
  await openBar(page);
  await page.getByRole('button', { name: 'Others’ pointers' }).click();
  session.send({ type: 'pointer', user_id: 'ada', x: 0.5, y: 0.5 });
  const label = page.locator('.cursor').getByText('Ada', { exact: true });
  await label.waitFor();
  t.equal(await label.evaluate(node => getComputedStyle(node).backgroundColor), 'rgb(112, 72, 232)');
  session.send({ type: 'users', users: [{ ...ADA, name: 'Grace' }, GUEST] });
  await page.locator('.cursor').getByText('Grace', { exact: true }).waitFor();
});
