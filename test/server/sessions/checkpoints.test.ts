/** Checkpoints of running sessions' profiles, beside agents that are slow. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import type { AgentRequest, Session } from '../../../src/server/model/index.js';
import { newSessionId } from '../../../src/server/model/ids.js';
import { EncryptedStore } from '../../../src/server/profiles/encrypted-store.js';
import { Profiles } from '../../../src/server/profiles/profiles.js';
import { FolderStorage } from '../../../src/server/profiles/storage.js';
import type { Connection } from '../../../src/server/sessions/connection.js';
import { Checkpoints, type CheckpointLimits } from '../../../src/server/sessions/profile/checkpoints.js';
import { LiveSessions } from '../../../src/server/sessions/live-sessions.js';
import { Store } from '../../../src/server/store/store.js';
import { keyring } from '../../fixtures/services/keyring.js';
import { makeSession } from '../../fixtures/services/session-rows.js';
import { until } from '../../fixtures/until.js';

const INTERVAL_MS = 100;
/** The limits of the service, but for the times. */
const LIMITS: CheckpointLimits = { parallel: 4, slowMs: 300, bytesPerSecond: 1 << 20, mostMs: 2000 };
const TRICKLE_MS = 20;

/** Sessions whose agents begin to send their profile when asked to, with what they do for the rest. */
async function running(t: Test, agents: readonly ((answer: PassThrough) => void)[]) {
  const store = await Store.open({ client: 'sqlite', filename: ':memory:' }, keyring);
  const liveSessions = new LiveSessions();
  const asked: number[] = [];
  const saved = new Map<number, number>();
  const sessions: Session[] = [];
  const indexOf = (sessionId: string) => sessions.findIndex(({ id }) => id === sessionId);
  const open = new Set<PassThrough>();
  const agent = (sessionId: string) => ({
    send: async ({ signal }: AgentRequest) => {
      const answer = Object.assign(new PassThrough(), { statusCode: 200, headers: { etag: 'always new' } });
      open.add(answer);
      answer.on('error', () => undefined).once('close', () => open.delete(answer));
      signal?.addEventListener('abort', () => answer.destroy());
      asked.push(indexOf(sessionId));
      agents[indexOf(sessionId)]?.(answer);
      return answer;
    },
  });
  for (const _ of agents) {
    const session = makeSession({
      state: { type: 'running' },
      profile: { load: null, save: newSessionId(), pending: null },
    });
    await store.sessions.insert(session, { owner: 'me', until: Date.now() + 60_000 }, agents.length + 1);
    await store.sessions.markRunning(session, Date.now());
    liveSessions.add(session).connection = {
      http: agent(session.id),
      end: async () => undefined,
    } as unknown as Connection;
    sessions.push(session);
  }
  const folder = await mkdtemp(join(tmpdir(), 'berth-test-checkpoints-'));
  const encrypted = new EncryptedStore(new FolderStorage(folder), keyring, 1 << 30);
  const profiles = new Profiles(encrypted, store.profiles, { saved() {}, failed() {} });
  const checkpoints = new Checkpoints(
    {
      profiles: {
        checkpoint: async (key, ...rest) => {
          const version = await profiles.checkpoint(key, ...rest);
          const index = sessions.findIndex(({ profile }) => profile.save === key.id);
          saved.set(index, (saved.get(index) ?? 0) + 1);
          return version;
        },
      },
      store: store.sessions,
      liveSessions,
      intervalMs: INTERVAL_MS,
      log: pino({ level: 'silent' }),
    },
    LIMITS,
  );
  t.teardown(async () => {
    // Before its folder goes.
    await checkpoints.stop();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  checkpoints.start();
  return { asked, saved, open, liveSessions, sessions };
}

const honest = (answer: PassThrough) => void answer.end('a profile');
const silent = () => undefined;
/** Sends so many bytes every 20 ms. */
const trickling = (bytes: number) => (answer: PassThrough) => {
  const timer = setInterval(() => answer.write(Buffer.alloc(bytes)), TRICKLE_MS);
  answer.once('close', () => clearInterval(timer));
};

t.test('agents that are slow do not keep others from being saved', async t => {
  const slow = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? silent : trickling(1)));
  const { saved, asked } = await running(t, [...slow, honest, honest]);
  // Each was tried once before it was known to be slow.
  await until('the others were saved', () => saved.get(12) && saved.get(13));
  const before = saved.get(13) ?? 0;
  const [from, begun] = [asked.length, performance.now()];
  await until('they are saved in every round', () => (saved.get(13) ?? 0) >= before + 10);
  const slowOnes = asked.slice(from).filter(index => index < 12).length;
  // One at a time, each for as long as it takes to be slow.
  const most = 1 + Math.ceil((performance.now() - begun) / LIMITS.slowMs);
  t.ok(slowOnes <= most, `${slowOnes} slow ones were begun meanwhile, at most ${most} may be`);
  t.equal(
    [...saved.keys()].some(index => index < 12),
    false,
  );
});

t.test('slow ones get their turn one after the other, one at a time', async t => {
  const slow = Array.from({ length: 6 }, () => silent);
  const { asked, open, saved } = await running(t, [...slow, honest]);
  await until('all were tried twice', () => slow.every((_, index) => asked.filter(each => each === index).length > 1));
  t.ok(open.size <= 2, 'one slow one, and at most one honest one');
  t.ok((saved.get(6) ?? 0) > 3);
});

t.test('a large profile that keeps coming is saved, but not one that never ends', async t => {
  const enough = 4 * ((LIMITS.bytesPerSecond * TRICKLE_MS) / 1000);
  const large = (answer: PassThrough) => {
    trickling(enough)(answer);
    setTimeout(() => answer.end(), 2 * LIMITS.slowMs);
  };
  const { saved, open } = await running(t, [large, trickling(enough)]);
  await until('it is saved', () => saved.get(0));
  await until('the other one is given up', () => open.size === 0 || !saved.has(1));
  t.notOk(saved.has(1));
});

t.test('the end of a session does not wait for its checkpoint, and discards it', async t => {
  const { asked, open, liveSessions, sessions, saved } = await running(t, [silent]);
  await until('it has begun', () => asked.length > 0);
  const live = liveSessions.get(sessions[0]?.id ?? '');
  const checkpoint = live?.checkpoints.running;
  await live?.close({ reason: 'request' });
  await checkpoint;
  t.equal(open.size, 0);
  t.equal(saved.size, 0);
});
