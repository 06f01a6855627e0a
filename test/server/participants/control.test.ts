import t from 'tap';
import { copy } from '../../../src/protocol/clipboard.js';
import { decodeInput, encodeInput } from '../../../src/protocol/input.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { TAB_METHODS } from '../../../src/protocol/tabs.js';
import { launch, SESSION, startSession } from '../../fixtures/services/session-host.js';
import { displayMessage, textMessage } from '../../fixtures/agents/messages.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';

const key = (keysym: number, down = true) => ({ type: 'key', down, keysym }) as const;
const nobody = { roles: [], control_disabled: false } satisfies { roles: []; control_disabled: boolean };

t.test("input is forwarded to the agent unchanged, with its viewer's number", async t => {
  const { agent, url } = await startSession(t);
  const [one, two] = [await StreamClient.join(url), await StreamClient.join(url)];
  one.input(key(0x61));
  two.input({ type: 'move', x: 0.5, y: 0.25 });
  await until('both', () => agent.messages(MessageType.key).length + agent.messages(MessageType.move).length === 2);
  t.match(agent.messages(MessageType.key)[0], { user: 1, bytes: Buffer.from(encodeInput(key(0x61))) });
  t.match(agent.messages(MessageType.move)[0], { user: 2 });
  one.send(textMessage(MessageType.clipboard, 'pasted'));
  const [paste] = await until(
    'the text',
    () => agent.messages(MessageType.clipboard).length === 1 && agent.messages(MessageType.clipboard),
  );
  t.equal(paste?.bytes.toString('utf8', 1), 'pasted');
});

t.test("a viewer's held keys are released when it leaves, and only its own", async t => {
  const { agent, url } = await startSession(t);
  const [one, two] = [await StreamClient.join(url), await StreamClient.join(url)];
  one.input(key(0xffe1));
  one.input(key(0x61));
  one.input({ type: 'button', button: 0, down: true, x: 0, y: 0 });
  one.input({ type: 'move', x: 1, y: 1 });
  two.input(key(0x61));
  await until('all', () => agent.received.filter(({ type }) => type >= 0x10 && type < 0x20).length === 5);
  one.leave();
  const ups = await until('the releases', () => {
    const inputs = agent.received.filter(({ user }) => user === 1).slice(4);
    return inputs.length === 3 && inputs.map(({ bytes }) => decodeInput(bytes));
  });
  t.same(ups, [key(0xffe1, false), key(0x61, false), { type: 'button', button: 0, down: false, x: 1, y: 1 }]);
  two.input({ type: 'release' });
  const up = await until('the release', () => agent.received.filter(({ user }) => user === 2)[1]);
  t.same(decodeInput(up.bytes), key(0x61, false));
});

t.test("a viewer's held keys are released when it gives no sign of life", async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  viewer.input(key(0x61));
  await until('the key', () => agent.messages(MessageType.key).length === 1);
  viewer.socket.pause();
  await until('the key is let go of', () => agent.messages(MessageType.key).at(-1)?.bytes[1] === 0);
});

t.test('without the role, no control message gets through', async t => {
  const { agent, url } = await startSession(t, { defaults: nobody });
  const viewer = await StreamClient.join(url);
  t.match(viewer.all('access'), [{ admin: false, roles: [] }]);
  viewer.input(key(0x61));
  viewer.send(textMessage(MessageType.clipboard, 'pasted'));
  viewer.tell({ type: 'resize', width: 800, height: 600 });
  t.match(await viewer.heard('refused'), { code: 'role_required' });
  t.notOk(
    agent.received.some(({ type }) =>
      [MessageType.key, MessageType.clipboard, MessageType.setDisplay].some(no => no === type),
    ),
  );

  viewer.tell({ type: 'admin', admin_token: 'wrong' });
  await viewer.heard('refused', ({ code }) => code === 'admin_token_invalid');
  viewer.tell({ type: 'admin', admin_token: `admin-${SESSION}` });
  await viewer.heard('access', ({ admin }) => admin);
  viewer.input(key(0x62));
  await until('the key of the admin', () => agent.messages(MessageType.key).length === 1);
});

t.test('the roles control and resize are independent', async t => {
  const { agent, host, url } = await startSession(t, { defaults: nobody });
  const [driver, sizer] = [await StreamClient.join(url), await StreamClient.join(url)];
  const users = host.connection().room.users;
  await users.changeRoles('add', [(await driver.heard('welcome')).user_id], ['control'], false);
  await users.changeRoles('add', [(await sizer.heard('welcome')).user_id], ['resize'], false);
  await driver.heard('access', ({ roles }) => roles.includes('control'));
  await sizer.heard('access', ({ roles }) => roles.includes('resize'));
  sizer.input(key(0x61));
  sizer.tell({ type: 'resize', width: 800, height: 600 });
  await until('the size', () => agent.messages(MessageType.setDisplay).length > 0);
  driver.tell({ type: 'resize', width: 900, height: 700 });
  t.match(await driver.heard('refused'), { code: 'role_required' });
  driver.input(key(0x62));
  await until('the key', () => agent.messages(MessageType.key).length > 0);
  t.same(
    agent.messages(MessageType.key).map(({ user }) => user),
    [1],
  );
  t.same(
    agent.messages(MessageType.setDisplay).map(({ bytes }) => bytes.readUInt16LE(1)),
    [800],
  );
});

t.test('where control is disabled, only an admin controls', async t => {
  const { agent, host, url } = await startSession(t, {
    defaults: { roles: ['chrome_apis', 'resize', 'control'], control_disabled: true },
  });
  const viewer = await StreamClient.join(url);
  const admin = await StreamClient.join(url, { admin_token: `admin-${SESSION}` });
  t.match(viewer.all('access')[0], { permissions: { control_disabled: true } });
  viewer.input(key(0x61));
  viewer.tell({ type: 'resize', width: 800, height: 600 });
  t.match(await viewer.heard('refused'), { code: 'role_required', message: /disabled/ });
  admin.input(key(0x62));
  admin.tell({ type: 'resize', width: 900, height: 700 });
  await until('the display of the admin', () => agent.messages(MessageType.setDisplay).length > 0);
  t.same(
    agent.messages(MessageType.key).map(({ user, bytes }) => [user, decodeInput(bytes)]),
    [[2, key(0x62)]],
    'nothing but its key',
  );
  t.same(
    agent.messages(MessageType.setDisplay).map(({ bytes }) => bytes.readUInt16LE(1)),
    [900],
  );

  host.connection().room.users.setPermissions((await viewer.heard('welcome')).user_id, { control_disabled: false });
  viewer.input(key(0x61));
  await until('the key, once control is given', () => agent.messages(MessageType.key).some(({ user }) => user === 1));
});

t.test('where control is disabled tabs can be read, not changed', async t => {
  const { agent, host, url } = await startSession(t, { defaults: { roles: ['chrome_apis'], control_disabled: true } });
  const called: string[] = [];
  agent.onCall = method => {
    called.push(method);
    return { value: null };
  };
  const viewer = await StreamClient.join(url);
  const admin = await StreamClient.join(url, { admin_token: `admin-${SESSION}` });
  const reading = ['detectLanguage', 'get', 'getZoom', 'getZoomSettings', 'query'];
  for (const name of TAB_METHODS) {
    const { error } = await viewer.call(`tabs.${name}`, 1);
    if (reading.includes(name)) t.equal(error, undefined, name);
    else t.match(error, { code: 'role_required', message: /disabled/ }, name);
  }
  t.same(
    called,
    reading.map(name => `tabs.${name}`),
    'nothing else reached the browser',
  );
  t.equal((await admin.call('tabs.update', 1, {})).error, undefined);
  agent.tell({ type: 'event', name: 'tabs.onCreated', args: [{ id: 7 }] });
  await viewer.heard('event');

  host.connection().room.users.setPermissions((await viewer.heard('welcome')).user_id, { control_disabled: false });
  t.equal((await viewer.call('tabs.update', 1, {})).error, undefined, 'control is given');
});

t.test('text copied in the session is sent to viewers with the role', async t => {
  const { agent, host, url } = await startSession(t, { defaults: nobody });
  const [viewer, holder] = [await StreamClient.join(url), await StreamClient.join(url)];
  const admin = await StreamClient.join(url, { admin_token: `admin-${SESSION}` });
  await host
    .connection()
    .room.users.changeRoles('add', [(await holder.heard('welcome')).user_id], ['clipboard_copy'], false);
  await holder.heard('access', ({ roles }) => roles.includes('clipboard_copy'));
  agent.send(textMessage(MessageType.clipboard, 'copied ✓'));
  for (const each of [holder, admin]) t.equal((await each.heard('clipboard')).text, 'copied ✓');
  agent.sendFrame({ key: true });
  await viewer.saw(({ id }) => id === agent.frame);
  t.same(viewer.all('clipboard'), []);
});

t.test('a rich copy is told with its picture’s number, and that there is one to who controls', async t => {
  const { agent, url } = await startSession(t, { defaults: { roles: ['control'], control_disabled: false } });
  const driver = await StreamClient.join(url);
  const admin = await StreamClient.join(url, { admin_token: `admin-${SESSION}` });
  const texts = new TextEncoder().encode('né<b>né</b>');
  agent.send(Buffer.from(copy.encode({ picture: 7, pictureSize: 99, textSize: 3 }, 0, texts)));
  t.match(await admin.heard('clipboard'), { text: 'né', html: '<b>né</b>', picture: { id: 7, size: 99 } });
  await driver.heard('copied');
  t.same(driver.all('clipboard'), []);
});

t.test('of many resizes the last is carried out, and everybody is told the resulting display', async t => {
  const { agent, url } = await startSession(t);
  const [one, two] = [await StreamClient.join(url), await StreamClient.join(url)];
  one.tell({ type: 'resize', width: 4096, height: 4096 });
  t.match(await one.heard('refused'), { code: 'too_large' });
  one.atOnce(() => {
    for (let width = 800; width <= 900; width++) one.tell({ type: 'resize', width, height: 601 });
  });
  const [asked] = await until(
    'set display',
    () => agent.messages(MessageType.setDisplay).length > 0 && agent.messages(MessageType.setDisplay),
  );
  t.same(asked?.bytes.subarray(1), displayMessage(900, 601, 60).subarray(1));
  agent.send(displayMessage(900, 601, 60));
  for (const viewer of [one, two])
    t.match(await viewer.heard('display', ({ width }) => width === 900), { height: 601 });
  t.match((await StreamClient.join(url)).all('display')[0], { width: 900, height: 601 }, 'who joins later too');
  t.equal(agent.messages(MessageType.setDisplay).length, 1);
});

t.test('4:4:4 is used where the quality is sharp and all watching viewers decode it', async t => {
  const sharp = { ...launch, display: { ...launch.display, quality: 'sharp' as const } };
  const { agent, url } = await startSession(t, { launch: sharp });
  const chroma = () => agent.messages(MessageType.setDisplay).at(-1)?.bytes[7];
  await StreamClient.join(url, { chroma444: true });
  await until('4:4:4', () => chroma() === 1);
  await StreamClient.join(url, { video: false });
  const other = await StreamClient.join(url);
  await until('4:2:0 for the one that cannot', () => chroma() === 0);
  other.leave();
  await until('4:4:4 again', () => chroma() === 1);
  t.equal(agent.messages(MessageType.setDisplay).length, 3);
});

t.test('keep-alives reach the agent, at a limited rate', async t => {
  const { agent, host, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  const begun = performance.now();
  for (let i = 0; i < 10; i++) viewer.tell({ type: 'keepAlive' });
  viewer.input(key(0x61));
  await until('the key', () => agent.messages(MessageType.key).length > 0);
  const keepAlives = () => agent.controls.filter(({ type }) => type === 'keepAlive').length;
  const passed = keepAlives();
  const most = 3 + Math.floor((performance.now() - begun) / 1000);
  t.ok(passed >= 3 && passed <= most, `${passed} of at most ${most}`);
  host.connection().keepAlive();
  await until('one of the service', () => keepAlives() === passed + 1);
});

t.test('keep-alives of older pages, which have another name, are understood', async t => {
  const { agent, url } = await startSession(t);
  const viewer = await StreamClient.join(url);
  viewer.tell({ type: 'touch' });
  await until('the agent gets one', () => agent.controls.some(({ type }) => type === 'keepAlive'));
});
