import type { Readable } from 'node:stream';
import type { ProfileStorageConfig } from '../config/index.js';

/** Where sealed profiles lie. */
export interface Storage {
  /** Writes all of `content`, or nothing: until it is complete, what was there before stays. Gives the bytes written. */
  write(id: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<number>;
  /** Null where there is none. */
  read(id: string): Promise<Readable | null>;
  /** None is no error. */
  remove(id: string): Promise<void>;
  /** Removes what writings left that were cut off long ago. */
  tidy(): Promise<void>;
}

/** The configured storage; what it needs is loaded when it is first used. */
export function lazyStorage(config: ProfileStorageConfig): Storage {
  let opened: Promise<Storage> | undefined;
  const storage = () => (opened ??= open(config));
  return {
    write: async (id, content, signal) => (await storage()).write(id, content, signal),
    read: async id => (await storage()).read(id),
    remove: async id => (await storage()).remove(id),
    tidy: async () => (await storage()).tidy(),
  };
}

async function open(config: ProfileStorageConfig): Promise<Storage> {
  if (config.kind === 'folder') {
    const { FolderStorage } = await import('./folder.js');
    return new FolderStorage(config.folder);
  }
  const { S3Storage } = await import('./s3.js');
  return new S3Storage(config);
}
