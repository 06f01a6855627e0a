/** A server with one Express route and nothing else, answering what Berth would; prints its port. */
import type { AddressInfo } from 'node:net';
import express from 'express';

const answer = JSON.parse(process.argv[2] ?? '{}') as object;
const app = express();
app.get('/v0/vm/:id', (_request, response) => void response.json(answer));
const server = app.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
