import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import { extract, pack } from 'tar-stream';
import { encodePad, PadButton } from '../../../src/protocol/pad.js';
import { FolderStorage } from '../../../src/server/profiles/storage.js';
import { EncryptedStore } from '../../../src/server/profiles/encrypted-store.js';
import { Keyring } from '../../../src/server/secrets/keyring.js';
import { ConsoleSession } from '../../fixtures/consoles/session.js';
import type { Colour } from '../../fixtures/consoles/hue.js';
import type { Service } from '../../fixtures/services/service.js';
import type { StreamClient } from '../../fixtures/viewers/stream-client.js';

/** A test card that is played: its pad is that of the first player. */
export class Player {
  readonly session: ConsoleSession;
  readonly #viewer: StreamClient;

  private constructor(session: ConsoleSession, viewer: StreamClient) {
    this.session = session;
    this.#viewer = viewer;
  }

  /** Starts a session with the fields of `POST /console`, and sits down. */
  static async start(service: Service, fields: object): Promise<Player> {
    const session = await ConsoleSession.start(service, fields);
    return new Player(session, await session.join());
  }

  /** Presses START, which takes the card one step further: blue, white, cyan. */
  async step(wanted: Colour): Promise<void> {
    this.#button(PadButton.start, true);
    await this.session.shows(wanted);
    this.#button(PadButton.start, false);
  }

  /** Resolves when the card shows this colour while a button is down. */
  async shows(wanted: Colour, button: number): Promise<void> {
    this.#button(button, true);
    await this.session.shows(wanted);
    this.#button(button, false);
  }

  leave(): void {
    this.#viewer.leave();
  }

  #button(id: number, down: boolean): void {
    this.#viewer.send(encodePad({ type: 'pad', player: 0, control: 'button', id, down }));
  }
}

/** The files of a saved profile by their paths. */
export async function readProfile(service: Service, id: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const entries = (await (await vaultOf(service)).read(id)).pipe(extract());
  for await (const entry of entries) {
    const content = await buffer(entry);
    if (entry.header.type === 'file') files.set(entry.header.name, content);
  }
  return files;
}

/** Saves a profile with these files in the place of the one that there is. */
export async function writeProfile(service: Service, id: string, files: Map<string, Buffer>): Promise<void> {
  const archive = pack();
  for (const [name, content] of files) archive.entry({ name }, content);
  archive.finalize();
  const signal = new AbortController().signal;
  await (await vaultOf(service)).write(id, Readable.from(archive, { objectMode: false }), { signal });
}

async function vaultOf(service: Service): Promise<EncryptedStore> {
  const secret = (await service.dataFile('secret')).trim();
  return new EncryptedStore(new FolderStorage(join(service.dataDir, 'profiles')), new Keyring(secret), 1 << 30);
}
