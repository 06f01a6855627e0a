/** Checks the subjects of commits; without their history, such as in a tarball, there is nothing to check. */
import { commitsOf, faultsOf } from './lib/commit-subjects.js';

const commits = await commitsOf('.');
if (commits === null) console.error('berth: skipped the subjects of commits: their history is not here.');
for (const commit of commits ?? []) {
  for (const fault of faultsOf(commit)) {
    console.error(`berth: commit ${commit.hash} ${fault}: ${commit.subject}`);
    process.exitCode = 1;
  }
}
