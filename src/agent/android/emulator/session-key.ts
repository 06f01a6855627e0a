import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const BITS = 2048;

/** The adb key of a session with an emulator, as PKCS #8 in PEM, which the emulator reads from `home` and trusts. */
export async function sessionKey(home: string): Promise<string> {
  const path = join(home, 'adbkey');
  const kept = await readFile(path, 'utf8').catch(() => null);
  if (kept !== null) return kept;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: BITS });
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await mkdir(home, { recursive: true, mode: 0o700 });
  await writeFile(path, pem, { mode: 0o600 });
  return pem;
}
