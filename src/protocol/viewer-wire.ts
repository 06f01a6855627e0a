/**
 * The binary messages that viewers send besides those that the display helper takes (display-helper.ts), of which they
 * also get pictures, sound and pointer. docs/reference/protocol.md says what they mean.
 */
import { MessageType } from './message-type.js';
import { i16, Message, Struct, u16, u32, u64, u8 } from './struct.js';

/** A finger of a touch message. */
export const finger = new Struct({ id: u8, x: u16, y: u16 });

/** What viewers send. */
export const fromViewer = {
  touch: new Message(MessageType.touch, { phase: u8, count: u8 }, 'count times a finger: id u8, x u16, y u16'),
  pad: new Message(MessageType.pad, { player: u8, control: u8, id: u8, value: i16 }),
  ack: new Message(MessageType.ack, { frame: u32 }),
  ping: new Message(MessageType.ping, { token: u64 }),
  refresh: new Message(MessageType.refresh, {}),
};

/** What answers a viewer's ping. */
export const pong = new Message(MessageType.pong, { token: u64 });
