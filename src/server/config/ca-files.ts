import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, list, type Environment } from './environment.js';

/** Most bytes of all certificates together, as PEM: containers get them in an environment variable. */
const MAX_BYTES = 64 << 10;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Certificates of authorities that sessions and the service trust besides the usual ones, as PEM. */
export function caCertificates(env: Environment, cwd: string): string[] {
  const paths = (list(env, 'BERTH_CA_FILES') ?? []).map(path => resolve(cwd, path));
  const all = [...new Set(paths.flatMap(certificatesIn))];
  if (Buffer.byteLength(all.join('')) > MAX_BYTES) {
    throw new ConfigError(
      `BERTH_CA_FILES must hold at most ${MAX_BYTES >> 10} KiB of certificates: only those of your own authorities.`,
    );
  }
  return all;
}

function certificatesIn(path: string): string[] {
  const found = read(path).match(CERTIFICATE);
  if (found === null) throw new ConfigError(`BERTH_CA_FILES must name PEM files, but ${path} has no certificate.`);
  return found.map((pem, index) => {
    const certificate = parsed(pem);
    const place = found.length === 1 ? 'the certificate' : `certificate ${index + 1}`;
    if (certificate === null)
      throw new ConfigError(`BERTH_CA_FILES must name PEM files, but ${place} in ${path} is damaged.`);
    if (certificate.ca) return certificate.toString();
    throw new ConfigError(
      `BERTH_CA_FILES must hold certificates of authorities, but ${place} in ${path} is not one: it may sign no others.`,
    );
  });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ConfigError(`BERTH_CA_FILES must name PEM files, but ${path} cannot be read (${reason}).`);
  }
}

function parsed(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
