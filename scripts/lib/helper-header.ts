import {
  envelope,
  framing,
  fromHelper,
  toHelper,
  WINDOW_TITLE_MAX_BYTES,
  WINDOWS_MAX,
} from '../../src/protocol/display-helper.js';
import {
  CLIPBOARD_MAX_BYTES,
  CONTENT_MAX_BYTES,
  PATCH_MAX_BYTES,
  PICTURE_MAX_BYTES,
  QUALITY_CODES,
  TEXT_MAX_BYTES,
  VideoFlag,
} from '../../src/protocol/message-type.js';
import type { Field, Fields, Message } from '../../src/protocol/struct.js';

/** Folder of the display helper's headers that are generated. */
const FOLDER = 'images/base/display/wire';

const GENERATED =
  '/* Generated from src/protocol/display-helper.ts by `npm run generate`; docs/reference/protocol.md explains them. */\n' +
  '#pragma once\n';

type Placed = Message<Fields>['layout'][number];
type Kind = Field<unknown>['name'];

const C_TYPES = {
  u8: 'uint8_t',
  u16: 'uint16_t',
  u32: 'uint32_t',
  u64: 'uint64_t',
  i16: 'int16_t',
  bool: 'uint8_t',
} satisfies Record<Kind, string>;
const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
const upper = (name: string) => snake(name).toUpperCase();
const hex = (value: number) => `0x${value.toString(16).padStart(2, '0')}`;
const constants = (name: string, lines: string[]) => `enum ${name}{\n${lines.map(line => `  ${line},\n`).join('')}};\n`;

/** The C headers that declare the display helper's messages, by their paths. */
export const helperHeaders = (): Readonly<Record<string, string>> => ({
  [`${FOLDER}/messages.h`]: constantsHeader(),
  [`${FOLDER}/from-helper.h`]: messagesHeader(fromHelper, writer),
  [`${FOLDER}/to-helper.h`]: messagesHeader(toHelper, reader),
});

/** The types, sizes and limits of all messages. */
function constantsHeader(): string {
  const all = Object.entries<Message<Fields>>({ ...fromHelper, ...toHelper }).sort(([, a], [, b]) => a.type - b.type);
  const entries = (codes: Readonly<Record<string, number>>, prefix: string) =>
    Object.entries(codes).map(([name, code]) => `${prefix}${upper(name)} = ${code}`);
  const parts = [
    GENERATED,
    '/** First byte of every message. */\n' +
      constants(
        'message_type ',
        all.map(([name, { type }]) => `MESSAGE_${upper(name)} = ${hex(type)}`),
      ),
    '/** Bytes of type and fields; in some messages a body follows. */\n' +
      constants(
        '',
        all.map(([name, { bytes }]) => `${upper(name)}_BYTES = ${bytes}`),
      ),
    '/** Before each message: the number of bytes that follow, and that of the viewer. */\n' +
      constants('', [`LENGTH_BYTES = ${framing.bytes}`, `USER_BYTES = ${envelope.bytes}`]),
    '/** Bits of the flags of a video message. */\n' + constants('', entries(VideoFlag, 'VIDEO_')),
    constants('quality ', entries(QUALITY_CODES, 'QUALITY_')),
    '/** Largest bodies. */\n' +
      constants('', [
        `CLIPBOARD_MAX_BYTES = ${CLIPBOARD_MAX_BYTES}`,
        `PICTURE_MAX_BYTES = ${PICTURE_MAX_BYTES}`,
        `CONTENT_MAX_BYTES = ${CONTENT_MAX_BYTES}`,
        `TEXT_MAX_BYTES = ${TEXT_MAX_BYTES}`,
        `PATCH_MAX_BYTES = ${PATCH_MAX_BYTES}`,
        `WINDOW_TITLE_MAX_BYTES = ${WINDOW_TITLE_MAX_BYTES}`,
      ]),
    '/** Most windows of which is told. */\n' + constants('', [`WINDOWS_MAX = ${WINDOWS_MAX}`]),
  ];
  return parts.join('\n');
}

/** The messages of one direction that have fields, and a function for each. */
function messagesHeader(
  messages: Readonly<Record<string, Message<Fields>>>,
  access: (name: string, message: Message<Fields>) => string,
): string {
  const declared = Object.entries(messages)
    .filter(([, { layout }]) => layout.length > 0)
    .sort(([, a], [, b]) => a.type - b.type)
    .map(([name, message]) => `${structOf(name, message)}\n${access(name, message)}`);
  return [`${GENERATED}#include "wire/messages.h"\n#include "wire/wire.h"\n`, ...declared].join('\n');
}

function structOf(name: string, { layout }: Message<Fields>): string {
  const fields = layout.map(({ name, field }) => `  ${C_TYPES[field.name]} ${snake(name)};\n`);
  return `struct ${snake(name)}_message {\n${fields.join('')}};\n`;
}

/** A function that writes type and fields. */
function writer(name: string, { layout }: Message<Fields>): string {
  const lines = layout.map(({ name, at, field }) => `  ${put(field.name, `message.${snake(name)}`, at)};\n`);
  return (
    `static inline void put_${snake(name)}(uint8_t *at, struct ${snake(name)}_message message) {\n` +
    `  at[0] = MESSAGE_${upper(name)};\n${lines.join('')}}\n`
  );
}

function put(kind: Kind, value: string, at: number): string {
  switch (kind) {
    case 'u8':
      return `at[${at}] = ${value}`;
    case 'bool':
      return `at[${at}] = ${value} != 0`;
    case 'i16':
      return `put_u16(at + ${at}, (uint16_t)${value})`;
    default:
      return `put_${kind}(at + ${at}, ${value})`;
  }
}

/** A function that reads the fields of a message of the right size. */
function reader(name: string, { layout }: Message<Fields>): string {
  const value = ({ at, field }: Placed) => (field.bytes === 1 ? `at[${at}]` : `get_${field.name}(at + ${at})`);
  const lines = layout.map(placed => `    .${snake(placed.name)} = ${value(placed)},\n`);
  return (
    `static inline struct ${snake(name)}_message get_${snake(name)}(const uint8_t *at) {\n` +
    `  return (struct ${snake(name)}_message){\n${lines.join('')}  };\n}\n`
  );
}
