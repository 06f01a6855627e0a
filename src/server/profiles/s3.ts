import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Agent } from 'node:https';
import { Readable } from 'node:stream';
import type { S3Config } from '../config/index.js';
import { trusting } from '../lib/trust.js';
import type { Storage } from './storage.js';

/** Smallest part that S3 accepts; two are held in memory. */
const PART_BYTES = 5 << 20;

const ATTEMPTS = 4;
const CONNECT_TIMEOUT_MS = 5000;
const SILENCE_MS = 30_000;

/** Stores profiles as objects in a bucket of any S3-compatible store. */
export class S3Storage implements Storage {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;

  /** `caCertificates`: of authorities that it trusts besides the usual ones, as PEM. */
  constructor({ bucket, prefix, endpoint, region, credentials }: S3Config, caCertificates: readonly string[] = []) {
    const secureContext = trusting(caCertificates);
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#client = new S3Client({
      region,
      maxAttempts: ATTEMPTS,
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: SILENCE_MS,
        ...(secureContext === undefined ? {} : { httpsAgent: new Agent({ keepAlive: true, secureContext }) }),
      },
      // Many stores do not support the newer checksums; the content is authenticated anyway.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      ...(credentials === null ? {} : { credentials }),
    });
  }

  /** An upload becomes visible when its last part has arrived; a failed one is aborted. */
  async write(id: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<number> {
    let bytes = 0;
    const body = Readable.from(
      (async function* () {
        for await (const chunk of content) {
          bytes += chunk.length;
          yield chunk;
        }
      })(),
      { objectMode: false },
    );
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#at(id), Body: body, ContentType: 'application/octet-stream' },
      partSize: PART_BYTES,
      queueSize: 1,
    });
    const abort = () => void upload.abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      await upload.done();
      return bytes;
    } catch (error) {
      await upload.abort();
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', abort);
      body.destroy();
    }
  }

  async read(id: string): Promise<Readable | null> {
    try {
      const { Body } = await this.#client.send(new GetObjectCommand(this.#at(id)));
      return Body instanceof Readable ? Body : null;
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#at(id)));
  }

  /** Interrupted uploads are removed by a lifecycle rule of the bucket. */
  async tidy(): Promise<void> {}

  #at(id: string) {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${id}.profile` };
  }
}
