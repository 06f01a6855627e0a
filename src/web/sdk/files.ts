import type { MethodsOf } from '../../protocol/calls.js';
import type { MakeCall } from '../../protocol/make-call.js';
import { ENGLISH } from '../languages/english.js';
import { CallError } from './errors.js';

/** How to reach a session for data too large for its socket. */
export interface FilesAddress {
  /** `{session_base_url}`. */
  readonly base: string;
  /** Credential of the latest connection; null before the first. */
  readonly ticket: string | null;
}

/** Options of an upload. */
export interface UploadOptions {
  /** Called with the number of bytes sent so far. */
  progress?: (sent: number) => void;
  /** Cancels the upload. */
  signal?: AbortSignal;
}

/** A file of a folder. */
export interface FolderFile {
  /** Its path in the folder, as in `sub/deeper/name.txt`. */
  readonly path: string;
  readonly file: File;
}

const lost = () => new CallError('upload_failed', ENGLISH.error_upload_failed);

/** Transfers of files to and from a session. The roles `file_upload` and `file_download` allow them. */
export interface SessionFiles {
  /**
   * Uploads a file to the session; resolves with its ID. Rejects with the session's error, or an AbortError.
   * @param file the file
   * @param options progress and cancellation
   */
  upload(file: File, options?: UploadOptions): Promise<string>;

  /**
   * Uploads a folder to the session; resolves with its ID. Rejects with the session's error, or an AbortError.
   * @param name the folder's name
   * @param files the files in it and in its folders
   * @param options progress and cancellation
   */
  uploadFolder(name: string, files: readonly FolderFile[], options?: UploadOptions): Promise<string>;

  /**
   * Passes uploads to the open file chooser.
   * @param ids the IDs of the uploads
   * @throws CallError if the call fails
   */
  choose(ids: readonly string[]): Promise<void>;

  /** Closes the open file chooser. @throws CallError if the call fails */
  cancel(): Promise<void>;

  /**
   * Drops uploads on the display.
   * @param ids the IDs of the uploads
   * @param x from 0 to 1
   * @param y from 0 to 1
   * @throws CallError if the call fails
   */
  drop(ids: readonly string[], x: number, y: number): Promise<void>;

  /**
   * The address of a download, valid as long as this connection lasts.
   * @param id the download's ID
   */
  downloadUrl(id: string): string;
}

/** File transfers to and from the session. */
export class Files implements SessionFiles, Record<MethodsOf<'files'>, unknown> {
  readonly #address: () => FilesAddress;
  readonly #call: MakeCall;

  constructor(address: () => FilesAddress, call: MakeCall) {
    this.#address = address;
    this.#call = call;
  }

  upload(file: File, options: UploadOptions = {}): Promise<string> {
    return this.#post(`uploads/${encodeURIComponent(file.name)}`, file, options);
  }

  async uploadFolder(
    name: string,
    files: readonly FolderFile[],
    { progress, signal }: UploadOptions = {},
  ): Promise<string> {
    const during = signal === undefined ? {} : { signal };
    const folder = await this.#post(`folders/${encodeURIComponent(name)}`, null, during);
    let before = 0;
    for (const { path, file } of files) {
      const [, folders = '', member = ''] = /^(.*?)\/?([^/]*)$/.exec(path) ?? [];
      const place = `&folder=${encodeURIComponent(folder)}&path=${encodeURIComponent(folders)}`;
      await this.#post(`uploads/${encodeURIComponent(member)}`, file, {
        ...during,
        place,
        progress: sent => progress?.(before + Math.min(sent, file.size)),
      });
      before += file.size;
    }
    return folder;
  }

  #post(
    path: string,
    body: File | null,
    { progress, signal, place = '' }: UploadOptions & { place?: string },
  ): Promise<string> {
    // fetch does not report upload progress.
    const request = new XMLHttpRequest();
    const sent = new Promise<string>((resolve, reject) => {
      request.upload.onprogress = ({ loaded }) => progress?.(loaded);
      request.onload = () =>
        request.status === 201 ? resolve(idOf(request.responseText)) : reject(refusal(request.responseText));
      request.onerror = () => reject(lost());
      request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
    });
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort);
    request.open('POST', this.#url(path) + place);
    if (body !== null) request.setRequestHeader('content-type', 'application/octet-stream');
    request.send(body);
    if (signal?.aborted) abort();
    return sent.finally(() => signal?.removeEventListener('abort', abort));
  }

  async choose(ids: readonly string[]): Promise<void> {
    await this.#call('files.choose', [[...ids]]);
  }

  async cancel(): Promise<void> {
    await this.#call('files.cancel', []);
  }

  async drop(ids: readonly string[], x: number, y: number): Promise<void> {
    await this.#call('files.drop', [[...ids], x, y]);
  }

  downloadUrl(id: string): string {
    return this.#url(`downloads/${encodeURIComponent(id)}`);
  }

  /** A screenshot of the display as PNG, in this width in pixels or full size. @throws CallError */
  async screenshot(width?: number): Promise<Blob> {
    const size = width === undefined ? '' : `&width=${encodeURIComponent(width)}`;
    const answer = await fetch(this.#url('screenshot') + size, { cache: 'no-store' }).catch(() => null);
    if (answer === null) throw new CallError('connection_lost', ENGLISH.error_connection_lost);
    if (answer.ok) return answer.blob();
    const { code, message } = (await answer.json().catch(() => ({}))) as { code?: string; message?: string };
    throw new CallError(code ?? 'agent_failed', message ?? 'The screenshot could not be taken.');
  }

  /** Sets the session's clipboard to a form's content. Rejects with a sentence. */
  async setClipboard(form: FormData, signal: AbortSignal): Promise<void> {
    const request = { method: 'POST', body: form, signal };
    const answer = await fetch(this.#url('clipboard'), request).catch(() => null);
    if (!answer?.ok) throw answer === null ? lost() : refusal(await answer.text());
  }

  /** Fetches a picture that was copied in the session. */
  async copiedPicture(id: number): Promise<Blob> {
    const answer = await fetch(this.#url(`clipboard/${id}`), { cache: 'no-store' });
    if (!answer.ok) throw refusal(await answer.text());
    return answer.blob();
  }

  #url(path: string): string {
    const { base, ticket } = this.#address();
    return `${base}/${path}?ticket=${encodeURIComponent(ticket ?? '')}`;
  }
}

const idOf = (text: string) => String((JSON.parse(text) as { id: unknown }).id);

function refusal(text: string): CallError {
  try {
    const { code, message } = JSON.parse(text) as Record<'code' | 'message', unknown>;
    return new CallError(String(code), String(message));
  } catch {
    return lost();
  }
}
