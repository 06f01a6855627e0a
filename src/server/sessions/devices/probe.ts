import { once } from 'node:events';
import { connect } from 'node:net';

const HEADER_BYTES = 24;
const VERSION = 0x0100_0001;
const MAX_DATA = 256 << 10;
const BANNER = Buffer.from('host::\0');

/** The words that a device begins with: it takes the connection, wants a signature, or encryption. */
const ANSWERS: readonly string[] = ['CNXN', 'AUTH', 'STLS'];

/** Whether something that speaks adb answers there in time. Not more: whoever uses the device has the key. */
export async function answersAdb(host: string, port: number, signal: AbortSignal): Promise<boolean> {
  const socket = connect({ host, port, signal });
  // Also after it has answered.
  socket.on('error', () => undefined);
  try {
    socket.write(greeting());
    let answer = Buffer.alloc(0);
    while (answer.length < HEADER_BYTES) {
      const [piece] = (await Promise.race([
        once(socket, 'data', { signal }),
        once(socket, 'close', { signal }).then(() => Promise.reject(new Error('closed'))),
      ])) as [Buffer];
      answer = Buffer.concat([answer, piece]);
    }
    const command = answer.readUInt32LE(0);
    return ANSWERS.includes(answer.toString('latin1', 0, 4)) && answer.readUInt32LE(20) === ~command >>> 0;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** An adb message: command, two arguments, length, checksum and complement of the command; then the data. */
function greeting(): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('CNXN', 'latin1');
  header.writeUInt32LE(VERSION, 4);
  header.writeUInt32LE(MAX_DATA, 8);
  header.writeUInt32LE(BANNER.length, 12);
  header.writeUInt32LE(
    BANNER.reduce((sum, byte) => sum + byte, 0),
    16,
  );
  header.writeUInt32LE(~header.readUInt32LE(0) >>> 0, 20);
  return Buffer.concat([header, BANNER]);
}
