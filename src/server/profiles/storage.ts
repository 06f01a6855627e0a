import type { Readable } from 'node:stream';
import type { ProfileStorageConfig } from '../config/index.js';

/** The storage of encrypted profiles. */
export interface Storage {
  /**
   * Writes all of `content` or nothing: until the write is complete, the previous content stays. Returns the bytes
   * written.
   */
  write(id: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<number>;
  /** Null if it does not exist. */
  read(id: string): Promise<Readable | null>;
  /** Succeeds if it does not exist. */
  remove(id: string): Promise<void>;
  /** Removes remains of writes that were interrupted long ago. */
  tidy(): Promise<void>;
}

/** Creates the configured storage; its dependencies are loaded on first use. */
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
