import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { hostAddress } from '../../fixtures/engines/docker.js';

/** A visit of a page: what the browser brought along. */
export interface Visit {
  path: string;
  cookies: string;
  /** What local storage held under `mark`, and IndexedDB under 1; null: nothing. */
  mark: string | null;
  record: string | null;
}

const PAGE = `<!doctype html><meta charset="utf-8"><title>profile</title><body>page
<script>
const open = indexedDB.open('test', 1);
open.onupgradeneeded = () => open.result.createObjectStore('records');
const done = request => new Promise(resolve => (request.onsuccess = () => resolve(request.result)));
done(open).then(async db => {
  const record = await done(db.transaction('records').objectStore('records').get(1));
  await fetch('/report' + location.pathname, { method: 'POST', body: JSON.stringify({
    cookies: document.cookie, mark: localStorage.getItem('mark'), record: record ?? null,
  }) });
  if (location.pathname !== '/login') return;
  document.cookie = 'login=yes; max-age=86400';
  document.cookie = 'basket=full';
  localStorage.setItem('mark', 'kept');
  const writing = db.transaction('records', 'readwrite', { durability: 'strict' });
  writing.objectStore('records').put('kept', 1);
  writing.oncomplete = () => fetch('/report/written', { method: 'POST', body: '{}' });
});
</script>`;

/** A site that sessions may visit, and that tells what each visit brought along. */
export class Site {
  readonly visits: Visit[] = [];
  readonly #server: Server;
  #origin = '';

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '/';
      if (path === '/favicon.ico') return void response.writeHead(404).end();
      if (!path.startsWith('/report')) {
        return void response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(PAGE);
      }
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        this.visits.push({ path: path.slice('/report'.length), ...JSON.parse(body) });
        response.end();
      });
    });
  }

  /** Opens it where containers of a service with open egress reach it. */
  static async open(t: Test): Promise<Site> {
    const site = new Site();
    const host = await hostAddress();
    site.#server.listen(0, host);
    await once(site.#server, 'listening');
    t.teardown(() => void site.#server.close().closeAllConnections());
    site.#origin = `http://${host}:${(site.#server.address() as AddressInfo).port}`;
    return site;
  }

  at(path: string): string {
    return this.#origin + path;
  }

  /** The visits of a page so far. */
  of(path: string): Visit[] {
    return this.visits.filter(visit => visit.path === path);
  }
}
