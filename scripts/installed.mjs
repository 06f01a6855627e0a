/** Exits with 0 if node_modules holds what package-lock.json asks for. Plain JavaScript: it runs before npm ci. */
import { readFileSync } from 'node:fs';

const packages = file => JSON.parse(readFileSync(file, 'utf8')).packages;

function complete() {
  try {
    const wanted = packages('package-lock.json');
    const present = packages('node_modules/.package-lock.json');
    const missing = ([name, { version, optional, devOptional, peer }]) =>
      name !== '' && (present[name] ? present[name].version !== version : !optional && !devOptional && !peer);
    return !Object.entries(wanted).some(missing);
  } catch {
    return false;
  }
}

process.exit(complete() ? 0 : 1);
