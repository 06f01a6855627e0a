import type { Client } from 'openapi-fetch';
import type { AndroidKeyName } from '../protocol/api/android.js';
import type { paths } from '../protocol/generated/openapi.js';
import type { AndroidClient } from './android-types.js';
import { answer } from './answer.js';

/** Controls an Android device through its session's address. */
export class RemoteAndroid implements AndroidClient {
  readonly #calls: Client<paths>;
  readonly #params: { path: { session_id: string } };

  constructor(calls: Client<paths>, sessionId: string) {
    this.#calls = calls;
    this.#params = { path: { session_id: sessionId } };
  }

  async key(name: AndroidKeyName): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/android.key', { params: this.#params, body: [name] }));
  }

  async rotate(orientation?: 'portrait' | 'landscape' | 'auto'): Promise<void> {
    const body = orientation === undefined ? [] : [orientation];
    answer(await this.#calls.POST('/s/{session_id}/android.rotate', { params: this.#params, body }));
  }

  async open(target: string): Promise<void> {
    answer(await this.#calls.POST('/s/{session_id}/android.open', { params: this.#params, body: [target] }));
  }

  async location(latitude: number, longitude: number, altitude?: number): Promise<void> {
    const body = [latitude, longitude, ...(altitude === undefined ? [] : [altitude])];
    answer(await this.#calls.POST('/s/{session_id}/android.location', { params: this.#params, body }));
  }

  async logs(lines?: number): Promise<string> {
    const body = lines === undefined ? [] : [lines];
    return answer(await this.#calls.POST('/s/{session_id}/android.logs', { params: this.#params, body }));
  }

  async install(uploadId: string): Promise<{ app_id?: string }> {
    return answer(
      await this.#calls.POST('/s/{session_id}/android.install', { params: this.#params, body: [uploadId] }),
    );
  }
}
