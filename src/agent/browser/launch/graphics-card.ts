import { access, constants, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether there is a GPU render node that this user may read and write. */
export async function hasGraphicsCard(folder = '/dev/dri'): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  const usable = names
    .filter(name => /^renderD\d+$/.test(name))
    .map(name =>
      access(join(folder, name), constants.R_OK | constants.W_OK).then(
        () => true,
        () => false,
      ),
    );
  return (await Promise.all(usable)).includes(true);
}
