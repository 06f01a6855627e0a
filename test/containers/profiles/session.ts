import { containerOf, shell } from '../../fixtures/engines/docker.js';
import type { Service } from '../../fixtures/services/service.js';
import { StreamClient } from '../../fixtures/viewers/stream-client.js';
import { until } from '../../fixtures/until.js';
import type { Site } from './site.js';

const CONTROL = 0xffe3;
const RETURN = 0xff0d;

/** Starts a small session. */
export async function start(service: Service, body: object): Promise<{ id: string; url: string }> {
  const answer = await service.api('POST', '/v0/vm', { width: 640, height: 400, ...body });
  if (answer.status !== 201) throw new Error(`not started: ${answer.status} ${JSON.stringify(answer.body)}`);
  return { id: answer.body.session_id, url: answer.body.embed_url };
}

export const end = (service: Service, id: string) => service.api('DELETE', `/v0/vm/${id}`);

/** Starts a session on the site's login page; resolves when the page has written what it writes. */
export async function logIn(service: Service, site: Site) {
  const before = site.of('/written').length;
  const session = await start(service, { profile: true, start_url: site.at('/login') });
  await until('the page has written', () => site.of('/written').length > before);
  return session;
}

/** Bookmarks the login page and opens another one in a second tab, by the keyboard. */
export async function bookmarkAndOpen(
  service: Service,
  session: { id: string; url: string },
  site: Site,
  path: string,
): Promise<void> {
  const viewer = await StreamClient.join(streamOf(session.url));
  const key = (keysym: number) => {
    viewer.input({ type: 'key', down: true, keysym });
    viewer.input({ type: 'key', down: false, keysym });
  };
  const withControl = (letter: string) => {
    viewer.input({ type: 'key', down: true, keysym: CONTROL });
    key(letter.codePointAt(0) ?? 0);
    viewer.input({ type: 'key', down: false, keysym: CONTROL });
  };
  const bookmarked = () => profileHolds(service, session.id, 'Default/Bookmarks', site.at('/login'));
  await until(
    'the page is bookmarked',
    () => {
      withControl('d');
      key(RETURN);
      // Chromium shows the page each key first, and writes a bookmark after 2.5 s.
      return until('bookmark', bookmarked, 5000).catch(() => false);
    },
    45_000,
  );
  withControl('t');
  await until(
    `${path} is open`,
    async () => {
      withControl('l');
      for (const letter of site.at(path)) key(letter.codePointAt(0) ?? 0);
      key(RETURN);
      return until('visit', () => site.of(path).length > 0, 3000).catch(() => false);
    },
    45_000,
  );
  viewer.leave();
}

const streamOf = (embedUrl: string) => embedUrl.replace(/^http/, 'ws').replace('?', '/stream?');

/** Whether a file of a session's profile, a pattern of the shell, holds a text. */
export async function profileHolds(service: Service, id: string, file: string, text: string): Promise<boolean> {
  const script = `grep -qa '${text}' /home/berth/profile/${file}`;
  return (await shell(containerOf(service, id), script)).status === 0;
}
