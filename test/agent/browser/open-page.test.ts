import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { openPage } from '../../../src/agent/browser/launch/open-page.js';

const URL = 'https://start.example/?a=%00';

/** Where a Chromium's socket may be: addresses of sockets are short. */
async function socketPath(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'berth-test-'));
  t.teardown(() => rm(folder, { recursive: true }));
  return join(folder, 'SingletonSocket');
}

/** A Chromium's socket, which answers what it is sent. */
async function chromium(t: Test, answer: (socket: Socket) => void) {
  const path = await socketPath(t);
  const told: string[] = [];
  const server = createServer({ allowHalfOpen: true }, socket => {
    socket.on('data', data => {
      told.push(data.toString());
      answer(socket);
    });
  });
  t.teardown(() => server.close());
  return { path, told, start: () => new Promise<void>(resolve => server.listen(path, resolve)) };
}

const never = new AbortController().signal;

t.test('Chromium is told what a second start of it would tell', async t => {
  const { path, told, start } = await chromium(t, socket => socket.end('ACK'));
  await start();
  await openPage(URL, never, path);
  t.same(told, [`START\0/\0/usr/lib/chromium/chromium\0--profile-directory=Default\0--\0${URL}`]);
});

t.test('one that is starting is waited for', async t => {
  const { path, told, start } = await chromium(t, socket => socket.end('ACK'));
  const opened = openPage(URL, never, path);
  await start();
  await opened;
  t.equal(told.length, 1, 'and told once');
});

t.test('a page that it does not take is an error', async t => {
  const { path, start } = await chromium(t, socket => socket.end('SHUTDOWN'));
  await start();
  await t.rejects(openPage(URL, never, path), { message: 'Chromium did not accept the page.' });
});

t.test('so is its end', async t => {
  const { path, start } = await chromium(t, socket => socket.destroy());
  await start();
  await t.rejects(openPage(URL, never, path));
});

t.test('waiting ends when the page is no longer wanted', async t => {
  const controller = new AbortController();
  const opened = openPage(URL, controller.signal, await socketPath(t));
  controller.abort();
  await t.rejects(opened);
});
