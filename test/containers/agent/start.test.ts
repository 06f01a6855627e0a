// tags: containers
/** How an agent starts: its port is open before, and its code is compiled already. */
import t from 'tap';
import { connectAgent } from '../../../src/server/agent-link/agent-connection.js';
import { Computer } from './computer.js';

const AGENT = /^node .*agent\/load\.cjs/;
/** Prints the names of the programs that have the port's socket. */
const HOLDERS = `socket=$(readlink /proc/$(pgrep -of '^bash /etc/berth/start')/fd/9)
for each in /proc/[0-9]*; do
  if readlink $each/fd/* 2>/dev/null | grep -qxF "$socket"; then cat $each/comm; fi
done | sort`;
const LOAD = 'env -u BERTH_LINK_SECRET node --snapshot-blob /opt/berth/node.blob /tmp/agent/load.cjs';

t.test('whoever connects while no agent runs waits for the next one', async t => {
  const computer = await Computer.start(t);
  (await connectAgent(computer.agent, 10_000)).socket.destroy();
  const [start] = await computer.pids(/^bash \/etc\/berth\/start/);
  await computer.exec('sh', '-c', `kill -STOP ${start}`);
  const killed = await computer.kill(AGENT);
  const connected = connectAgent(computer.agent, 10_000);
  // What is refused would not come back.
  await computer.exec('sh', '-c', `kill -CONT ${start}`);
  (await connected).socket.destroy();
  const [next] = await computer.pids(AGENT);
  t.ok(next !== undefined && next !== killed, 'the next agent has answered');
  t.equal(await computer.exec('sh', '-c', HOLDERS), 'bash\nnode\n', 'no other program has the port');
});

t.test('the image keeps the compiled code of its agent', async t => {
  const computer = await Computer.start(t);
  const ended = (before: string) =>
    computer.exec('sh', '-c', `rm -rf /tmp/agent; cp -r /opt/berth/agent /tmp; ${before}; ${LOAD} || echo ended by $?`);
  t.notMatch(await ended('true'), 'compiled code not used');
  const changed = await ended('echo "// changed" >>/tmp/agent/main.cjs');
  t.match(changed, /compiled code not used[^]*BERTH_LINK_SECRET is not set[^]*ended by 2/, 'of another agent');
  t.match(await ended('echo >/tmp/agent/main.code'), /compiled code not used[^]*ended by 2/, 'damaged');
  t.match(await ended('rm /tmp/agent/main.code'), /BERTH_LINK_SECRET is not set[^]*ended by 2/, 'none at all');
});
