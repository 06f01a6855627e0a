// tags: containers
/** What pages are told of a console, and ask of it; the session is a recording. */
import t from 'tap';
import { PadButton } from '../../src/protocol/pad.js';
import { openBrowser } from '../fixtures/viewers/browser.js';
import { embed, told, type Embedding } from '../fixtures/pages/embedding-page.js';
import { RecordedSession } from '../fixtures/services/recorded-session.js';
import { until } from '../fixtures/until.js';
import { VirtualGamepads } from '../fixtures/viewers/virtual-gamepads.js';

declare const embedding: Embedding;
const browser = await openBrowser(t);

const seatsOf = (...users: (string | null)[]) => users.map((user_id, i) => ({ player: i + 1, user_id }));
const calls = (session: RecordedSession) =>
  session.control.flatMap(message => (message.type === 'call' ? [message] : []));

t.test('pages are told who plays, at once and whenever a seat changes hands', async t => {
  const [session, page] = await embed(t, browser);
  session.kind = 'nes';
  session.seats = seatsOf('u1', null);
  t.same(await page.evaluate(async () => (await embedding.mount(), embedding.session.seats)), [
    { player: 1, userId: 'u1' },
    { player: 2, userId: null },
  ]);
  session.send({ type: 'seats', seats: seatsOf('u1', 'u2') });
  const all = await until('both are told', async () => {
    const seats = await told(page, 'seats');
    return seats.length === 2 && seats;
  });
  t.same(all[1], [
    { player: 1, userId: 'u1' },
    { player: 2, userId: 'u2' },
  ]);
  t.same(await page.evaluate(() => embedding.session.seats), all[1]);
});

t.test('a session that is not a console has no seats', async t => {
  const [, page] = await embed(t, browser);
  t.same(await page.evaluate(async () => (await embedding.mount(), embedding.session.seats)), []);
});

t.test('pages are told the game’s state, at once and whoever changes it', async t => {
  const [session, page] = await embed(t, browser);
  session.kind = 'n64';
  session.game = { type: 'game', paused: true, fast_forward: false };
  const paused = { paused: true, fastForward: false, discs: null };
  t.same(await page.evaluate(async () => (await embedding.mount(), embedding.session.gameState)), paused);
  session.send({ type: 'game', paused: false, fast_forward: true });
  const all = await until('both are told', async () => {
    const states = await told(page, 'game');
    return states.length === 2 && states;
  });
  t.same(all, [paused, { paused: false, fastForward: true, discs: null }]);
  t.same(await page.evaluate(() => embedding.session.gameState), all[1]);
});

t.test('pages are told a game’s discs, and change them', async t => {
  const [session, page] = await embed(t, browser);
  session.kind = 'ps1';
  const labels = ['Quest (Disc 1)', 'Quest (Disc 2)'];
  session.results['console.disc'] = { value: { disc: 2, labels } };
  t.equal(await page.evaluate(async () => (await embedding.mount(), embedding.session.gameState.discs)), null);
  session.send({ type: 'discs', disc: 1, labels });
  const inside = () => page.evaluate(() => embedding.session.gameState.discs);
  await until('it is told', async () => (await inside()) !== null);
  t.same(await inside(), { disc: 1, labels });
  t.same((await told(page, 'game')).at(-1), { paused: false, fastForward: false, discs: { disc: 1, labels } });
  t.same(await page.evaluate(() => embedding.session.console.disc(2)), { disc: 2, labels });
  t.match(calls(session), [{ method: 'console.disc', args: [2] }]);
  t.match(await page.evaluate(() => embedding.session.console.disc(0).catch(String)), /TypeError: disc must be/);
});

t.test(
  'the player’s bar changes discs where there are several, by keyboard too, and shows which one is inside',
  async t => {
    const session = await RecordedSession.start(t);
    session.kind = 'ps1';
    const labels = ['Quest (Disc 1)', 'Quest (Disc 2)'];
    const page = await browser.newPage();
    t.teardown(() => page.close());
    await page.goto(session.embedUrl('secure'));
    const choice = page.getByRole('combobox', { name: 'Disc', exact: true, includeHidden: true });
    await choice.waitFor({ state: 'attached' });
    t.equal(await choice.evaluate((select: HTMLSelectElement) => select.hidden), true, 'not with one disc');
    session.send({ type: 'discs', disc: 1, labels });
    await choice.waitFor({ state: 'visible' });
    t.same(await choice.locator('option').allTextContents(), ['Disc 1: Quest (Disc 1)', 'Disc 2: Quest (Disc 2)']);
    session.results['console.disc'] = { error: { code: 'disc_not_changed', message: 'The disc is stuck.' } };
    await choice.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('The disc is stuck.').waitFor();
    t.match(calls(session), [{ method: 'console.disc', args: [2] }]);
    t.equal(await choice.inputValue(), '1', 'what is inside, not what was asked for');
    session.send({ type: 'discs', disc: 2, labels });
    await until('it shows what somebody else has put in', async () => (await choice.inputValue()) === '2');
  },
);

t.test('the player’s bar shows the game’s state, whoever changes it', async t => {
  const session = await RecordedSession.start(t);
  session.kind = 'ps1';
  session.game = { type: 'game', paused: true, fast_forward: false };
  session.results['console.pause'] = { value: {} };
  session.results['console.fastForward'] = { value: {} };
  const page = await browser.newPage();
  t.teardown(() => page.close());
  await page.goto(session.embedUrl('secure'));
  const button = (name: string, pressed: boolean) =>
    page.getByRole('button', { name, pressed, exact: true, includeHidden: true });
  const shows = (paused: boolean, fast: boolean) =>
    Promise.all([
      button('Pause', paused).waitFor({ state: 'attached' }),
      button('Fast-forward', fast).waitFor({ state: 'attached' }),
    ]);
  await shows(true, false);
  const asked = (count: number) =>
    until('it is asked for', () => calls(session).length === count && calls(session).at(-1));
  await button('Pause', true).dispatchEvent('click');
  t.match(await asked(1), { method: 'console.pause', args: [false] });
  await shows(true, false);
  session.send({ type: 'game', paused: false, fast_forward: true });
  await shows(false, true);
  await button('Fast-forward', true).dispatchEvent('click');
  t.match(await asked(2), { method: 'console.fastForward', args: [false] });
  await page.locator('.bar:not(.open)').waitFor({ state: 'attached' });
  session.send({ type: 'game', paused: true, fast_forward: false });
  await shows(true, false);
  await page.locator('.bar.open').waitFor({ state: 'attached' });
  t.pass('and comes up when it changes');
});

t.test('seats are taken and left, games saved, paused and reset, and refusals say why', async t => {
  const [session, page] = await embed(t, browser);
  session.kind = 'snes';
  session.results['takeSeat'] = { value: seatsOf(null, 'u1') };
  session.results['leaveSeat'] = { error: { code: 'not_a_console', message: 'This session is not a console.' } };
  for (const method of ['saveState', 'pause', 'fastForward', 'reset'])
    session.results[`console.${method}`] = { value: {} };
  session.results['console.loadState'] = { error: { code: 'slot_empty', message: 'Nothing was saved in slot 9.' } };
  const answers = await page.evaluate(async () => {
    await embedding.mount();
    const { session } = embedding;
    const words = (error: Error & { code?: string }) => [error.name, error.code, error.message];
    return [
      await session.takeSeat(2),
      await session.takeSeat(),
      await session.leaveSeat().catch(words),
      await session.takeSeat(5).catch(words),
      await session.console.saveState(0),
      await session.console.loadState(9).catch(words),
      await session.console.loadState(10).catch(words),
      await session.console.pause(true),
      await session.console.pause('yes' as never).catch(words),
      await session.console.fastForward(false),
      await session.console.reset(),
    ];
  });
  const seats = [
    { player: 1, userId: null },
    { player: 2, userId: 'u1' },
  ];
  t.same(answers, [
    seats,
    seats,
    ['CallError', 'not_a_console', 'This session is not a console.'],
    ['TypeError', undefined, 'player must be a whole number from 1 to 4'],
    undefined,
    ['CallError', 'slot_empty', 'Nothing was saved in slot 9.'],
    ['TypeError', undefined, 'slot must be a whole number from 0 to 9'],
    undefined,
    ['TypeError', undefined, 'on must be a boolean'],
    undefined,
    undefined,
  ]);
  t.same(
    calls(session).map(({ method, args }) => [method, args]),
    [
      ['takeSeat', [2]],
      ['takeSeat', []],
      ['leaveSeat', []],
      ['console.saveState', [0]],
      ['console.loadState', [9]],
      ['console.pause', [true]],
      ['console.fastForward', [false]],
      ['console.reset', []],
    ],
  );
});

t.test('a picture of the display is fetched, and a refusal says why', async t => {
  const [session, page] = await embed(t, browser);
  session.pages.set('/s/recording/screenshot', 'picture');
  const picture = await page.evaluate(
    async () => (await embedding.mount(), (await embedding.session.screenshot(64)).text()),
  );
  t.equal(picture, 'picture');
  session.pages.delete('/s/recording/screenshot');
  const { origin } = new URL(page.url());
  await page.route(`${origin}/s/recording/screenshot**`, route =>
    route.fulfill({ status: 401, json: { code: 'ticket_invalid', message: 'The ticket is old.' } }),
  );
  const refused = page.evaluate(() =>
    embedding.session.screenshot().catch(({ name, code }: Error & { code?: string }) => [name, code]),
  );
  t.same(await refused, ['CallError', 'ticket_invalid']);
});

t.test('a gamepad plugged in before works, and the player’s bar is complete', async t => {
  const session = await RecordedSession.start(t);
  session.kind = 'nes';
  session.seats = seatsOf('someone', 'u1');
  const page = await browser.newPage();
  t.teardown(() => page.close());
  const gamepads = await VirtualGamepads.before(page, 0);
  await page.goto(session.embedUrl('secure'));
  await page.getByRole('button', { name: 'Player 2', includeHidden: true }).waitFor({ state: 'attached' });
  const pads = () => session.received.flatMap(message => (message.is === 'pad' ? [message.event] : []));
  await gamepads.press(0, 1, true);
  const down = { type: 'pad', player: 1, control: 'button', id: PadButton.a, down: true };
  t.match(await until('the button is pressed', () => pads()[0]), down);
  await gamepads.press(0, 1, false);
  t.match(await until('and let go', () => pads()[1]), { ...down, down: false });
});

t.test('a button of the player saves a picture', async t => {
  const session = await RecordedSession.start(t);
  session.kind = 'snes';
  session.pages.set('/s/recording/screenshot', 'picture');
  const page = await browser.newPage();
  t.teardown(() => page.close());
  await page.addInitScript(() => {
    const create = URL.createObjectURL.bind(URL);
    URL.createObjectURL = file => {
      void (file as Blob).text().then(text => Object.assign(window, { saved: text }));
      return create(file);
    };
  });
  await page.goto(session.embedUrl('secure'));
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Screenshot', includeHidden: true }).dispatchEvent('click');
  t.match((await saved).suggestedFilename(), /^screenshot-\d{4}-.*\.png$/);
  t.equal(
    await until('its content', () => page.evaluate(() => (window as unknown as { saved?: string }).saved)),
    'picture',
  );
});
