/**
 * Express routes without Berth, in a process of their own: with the same answers (`/same`), and doing what no service
 * can do without (`/least`): the check of the key, and a read or a write of the database by its driver alone.
 * Arguments: the database, the key, and the answers by path.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express from 'express';
import sqlite3 from 'sqlite3';

const [, , filename = '', key = '', answers = '{}'] = process.argv;
const database = new sqlite3.Database(filename);
const digest = (text: string) => createHash('sha256').update(text).digest();
const [expected, iso] = [digest(key), (time: number) => new Date(time).toISOString()];

const read = <Row>(sql: string) => {
  const statement = database.prepare(sql);
  return (values: readonly unknown[] = []) =>
    new Promise<Row[]>((resolve, reject) => {
      statement.all<Row>(values, (error, rows) => (error === null ? resolve(rows) : reject(error)));
    });
};

interface Session {
  id: string;
  created_at: number;
}

database.serialize();
database.exec('create table if not exists bare (id text primary key, launch text, created_at integer)');
const one = read<Session>('select * from sessions where id = ?');
const page = read<Session>(
  "select id, created_at from sessions where ended_at is null and state = 'running' order by created_at, id limit 101",
);
const booked = read<{ date: string; total: number }>('select date, sum(ms) as total from usage group by date');
const running = read<{ ready_at: number }>('select ready_at from sessions where ended_at is null');
const insert = read<never>('insert into bare (id, launch, created_at) values (?, ?, ?)');
const remove = read<never>('delete from bare where id = ?');

const least = express.Router();
least.use((request, response, next) => {
  const shown = request.get('authorization')?.slice('Bearer '.length) ?? '';
  if (timingSafeEqual(digest(shown), expected)) next();
  else response.status(401).end();
});
least.get('/v0/vm', async (_request, response) => {
  response.json({ results: (await page()).map(({ id, created_at: at }) => ({ id, creation_date: iso(at) })) });
});
least.get('/v0/vm/usage', async (_request, response) => {
  const [days, live] = await Promise.all([booked(), running()]);
  const now = live.reduce((sum, { ready_at: at }) => sum + Date.now() - at, 0);
  response.json({ now, usage: days.map(({ date, total }) => ({ date, seconds: total / 1000 })) });
});
least.get('/v0/vm/:id', async ({ params: { id } }, response) => {
  const [row] = await one([id]);
  if (row === undefined) return void response.status(404).end();
  response.json({ session_id: row.id, creation_date: iso(row.created_at), termination_date: null });
});
least.post('/v0/vm', express.json(), async (request, response) => {
  const id = crypto.randomUUID();
  await insert([id, JSON.stringify(request.body), Date.now()]);
  response.status(201).json({ session_id: id });
});
least.delete('/v0/vm/:id', async ({ params: { id } }, response) => {
  await remove([id]);
  response.json({ session_id: id });
});

const app = express().use('/least', least);
for (const [path, answer] of Object.entries(JSON.parse(answers) as Record<string, unknown>)) {
  app.get(`/same${path}`, (_request, response) => void response.json(answer));
}
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
// Ends with the benchmark, however that ends.
process.on('disconnect', () => process.exit());
