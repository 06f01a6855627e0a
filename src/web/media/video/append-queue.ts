type Step =
  | { type: 'append'; data: Uint8Array<ArrayBuffer> }
  | { type: 'changeType'; mime: string }
  | { type: 'remove'; end: number };

/** Serializes changes of a source buffer, which accepts one at a time. */
export class AppendQueue {
  readonly #source: MediaSource;
  readonly #fail: (reason: string) => void;
  readonly #steps: Step[] = [];
  #buffer: SourceBuffer | null = null;
  #type: string;

  constructor(source: MediaSource, type: string, fail: (reason: string) => void) {
    this.#source = source;
    this.#type = type;
    this.#fail = fail;
    if (source.readyState === 'open') this.#open();
    else source.addEventListener('sourceopen', () => this.#open(), { once: true });
  }

  /** Appends the initialization segment of a stream with this MIME type. */
  init(type: string, data: Uint8Array<ArrayBuffer>): void {
    if (type !== this.#type) this.#steps.push({ type: 'changeType', mime: type });
    this.#type = type;
    this.append(data);
  }

  append(data: Uint8Array<ArrayBuffer>): void {
    this.#steps.push({ type: 'append', data });
    this.#next();
  }

  /** Removes what lies before `end` seconds. */
  remove(end: number): void {
    if (end <= 0) return;
    this.#steps.push({ type: 'remove', end });
    this.#next();
  }

  stop(): void {
    this.#steps.length = 0;
    this.#buffer = null;
  }

  #open(): void {
    try {
      this.#buffer = this.#source.addSourceBuffer(this.#type);
    } catch (error) {
      return this.#fail(String(error));
    }
    this.#buffer.addEventListener('updateend', () => this.#next());
    this.#next();
  }

  #next(): void {
    const buffer = this.#buffer;
    if (buffer === null || buffer.updating || this.#source.readyState !== 'open') return;
    const step = this.#steps.shift();
    if (step === undefined) return;
    try {
      if (step.type === 'append') buffer.appendBuffer(step.data);
      else if (step.type === 'remove') buffer.remove(0, step.end);
      else buffer.changeType(step.mime);
    } catch (error) {
      return this.#fail(String(error));
    }
    this.#next();
  }
}
