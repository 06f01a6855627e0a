/**
 * What shows a session's picture and takes viewers' input. Messages are `user u32, message` (docs/reference/protocol.md): the
 * display helper is one, which grabs an X server's screen.
 */
export interface Screen {
  start(): void;
  stop(): Promise<void>;
  /** Sends a message. While there is nobody to take it input is lost, what must be known is not. */
  send(body: Uint8Array): void;
  /** The messages that a new link must get: size, cursor, windows. */
  picture(): Uint8Array[];
  /** Size in pixels; undefined until it is known. */
  readonly displaySize: { readonly width: number; readonly height: number } | undefined;
}
