import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from '../../bench/lib/scope.js';
import { packed, type Program } from './programs.js';

/** Serves programs on the loopback interface, by number; returns the address of each. */
export async function serve(scope: Scope, programs: readonly Program[]): Promise<(program: Program) => string> {
  const server = createServer((request, response) => {
    const program = programs[Number(request.url?.slice(1).split('/')[0])];
    if (program === undefined) return void response.writeHead(404).end();
    packed(program).then(
      ({ name, content }) =>
        response
          .setHeader('content-disposition', `attachment; filename*=utf-8''${encodeURIComponent(name)}`)
          .end(content),
      () => response.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  scope.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return program => `http://127.0.0.1:${port}/${programs.indexOf(program)}/`;
}
