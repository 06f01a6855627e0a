/** The workflows of .github run the same commands as developers do, with no more rights than they need. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';

const FOLDER = '.github/workflows';
const targets = new Set(
  [...(await readFile('Makefile', 'utf8')).matchAll(/^([a-z-]+):/gm)].map(([, target]) => target),
);

/** What only a workflow does, and the rights that this takes beyond reading the repository. */
const PUBLISHES = {
  workflow: 'release.yml',
  command: 'npm publish --provenance --access public ./dist/package',
  rights: 'contents: read id-token: write',
};

for (const name of await readdir(FOLDER)) {
  t.test(name, async t => {
    const text = await readFile(join(FOLDER, name), 'utf8');
    const commands = [...text.matchAll(/^ +- run: (.+)$/gm)].map(([, command = '']) => command);
    t.ok(commands.length > 0);
    const publishes = name === PUBLISHES.workflow;
    t.equal(commands.includes(PUBLISHES.command), publishes);
    for (const command of commands.filter(command => command !== PUBLISHES.command))
      t.ok(targets.has(/^make ([a-z-]+)( [A-Z]+=\S+)*$/.exec(command)?.[1]), command);
    for (const [, action] of text.matchAll(/uses: (.+)$/gm)) t.match(action, /^actions\/[a-z-]+@v\d+$/);
    t.same(
      [...text.matchAll(/^( *)permissions:\n((?:\1 +.*\n)+)/gm)].map(([, , rights = '']) =>
        rights.trim().replaceAll(/\s+/g, ' '),
      ),
      ['contents: read', ...(publishes ? [PUBLISHES.rights] : [])],
    );
    const jobs = text.slice(text.indexOf('\njobs:')).match(/^ {2}\w+:$/gm) ?? [];
    t.equal(text.match(/^ {4}timeout-minutes: \d+$/gm)?.length, jobs.length, 'each job ends in time');
  });
}
