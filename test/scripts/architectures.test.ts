import { readdir, readFile } from 'node:fs/promises';
import t from 'tap';

/** Those that map what architectures are called or publish for them, and an emulator that exists for one only. */
const MAPPINGS = ['images/android/Dockerfile', 'images/lib/push.sh', 'images/seccomp.json', 'scripts/check-node.sh'];

/** Names of the kernel, of Debian, and of Debian's folders of libraries. */
const NAMES = /x86[_-]64|amd64|aarch64|arm64|armhf|i[3-6]86|-linux-gnu/i;

t.test('images and scripts name no architecture', async t => {
  const naming: string[] = [];
  for (const folder of ['images', 'scripts', 'src/agent']) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = `${entry.parentPath}/${entry.name}`;
      if (entry.isFile() && NAMES.test(await readFile(path, 'latin1'))) naming.push(path);
    }
  }
  t.same(naming.sort(), MAPPINGS);
});
