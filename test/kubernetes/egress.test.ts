// tags: containers, cluster
/**
 * What sessions' Pods reach, seen from inside of them: private destinations of the test's own, which another Pod
 * reaches, and name servers.
 */
import t, { type Test } from 'tap';
import { CLOSED } from '../../src/server/engines/packet-filter/rules.js';
import { testCluster } from '../fixtures/kubernetes/cluster.js';
import { docker } from '../fixtures/engines/docker.js';
import { NAMED, PRIVATE_PORT, privateHost } from '../fixtures/networks/private-host.js';
import { startService, type Service } from '../fixtures/services/service.js';
import { until } from '../fixtures/until.js';

const cluster = await testCluster(t, { ownNodes: true });
const [node = ''] = cluster.nodes;
/** All on the first node, whose settings the tests change. */
const NODES = { BERTH_KUBERNETES_NODES: 'NA=kubernetes.io/hostname=node1' };
const onNode = (script: string) => docker('exec', node, 'sh', '-c', script);

// Pods ask the name servers that their node has.
const host = await privateHost(t);
const resolvers = await onNode('cat /etc/resolv.conf');
await onNode(`echo nameserver ${host} >/etc/resolv.conf`);
t.teardown(() => onNode(`printf '%s\\n' '${resolvers}' >/etc/resolv.conf`));

const listen = `require("net").createServer(s => s.on("error", () => {}).end()).listen(${PRIVATE_PORT})`;
for (const name of ['listening', 'open']) {
  const container = {
    name: 'session',
    image: cluster.images.chromium,
    imagePullPolicy: 'IfNotPresent',
    command: ['node', '-e', listen],
    workingDir: '/',
  };
  const metadata = { name, namespace: cluster.namespace };
  const spec = {
    nodeSelector: { 'kubernetes.io/hostname': 'node1' },
    terminationGracePeriodSeconds: 0,
    containers: [container],
  };
  await cluster.apply(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec }));
}
await cluster.kubectl('wait', 'pod', 'listening', 'open', '--for=condition=Ready', '--timeout=60s');
const address = await cluster.kubectl('get', 'pod', 'listening', '--output=jsonpath={.status.podIP}');
const nodeAddress = await docker('inspect', node, '--format', '{{.NetworkSettings.Networks.bridge.IPAddress}}');

const DESTINATIONS = {
  'another Pod': `${address}:${PRIVATE_PORT}`,
  'a machine beside the cluster': `${host}:${PRIVATE_PORT}`,
  'the kubelet of its node': `${nodeAddress}:10250`,
  'the API server': `${nodeAddress}:6443`,
  'the API server by its name in the cluster': '10.96.0.1:443',
};

/** Which destinations a Pod connects to. */
async function reached(pod: string): Promise<string[]> {
  const program = `
    const attempt = ([name, address]) => new Promise(done => {
      const [host, port] = address.split(":");
      const socket = require("net").connect({ host, port: Number(port) });
      const end = reached => { socket.destroy(); done(reached ? [name] : []); };
      socket.on("connect", () => end(true)).on("error", () => end(false)).setTimeout(3000, () => end(false));
    });
    Promise.all(${JSON.stringify(Object.entries(DESTINATIONS))}.map(attempt)).then(all => console.log(JSON.stringify(all.flat())));`;
  return JSON.parse(await cluster.inPod(pod, `node -e '${program}'`)) as string[];
}

/** Starts a session; gives the name of its Pod. */
async function start(service: Service): Promise<{ id: string; pod: string }> {
  const { status, body } = await service.api('POST', '/v0/vm');
  if (status !== 201) throw new Error(`not started: ${JSON.stringify(body)}\n${service.log()}`);
  const [pod = ''] = await cluster.pods(body.session_id);
  return { id: body.session_id, pod };
}

t.test('a Pod of somebody else reaches all of the destinations', async t => {
  t.same(await reached('open'), Object.keys(DESTINATIONS));
});

t.test('a session with the packet filter reaches none, but the name servers', async t => {
  const service = await startService(t, { ...cluster.env, ...NODES, BERTH_KUBERNETES_EGRESS: 'filter' });
  const { id, pod } = await start(service);
  t.same(await reached(pod), []);
  t.match(await cluster.inPod(pod, 'getent ahostsv4 a-name.test'), new RegExp(`^${NAMED.replaceAll('.', '\\.')} `));

  // Read from its network alone: nothing is ever sent to a cloud's metadata.
  const container = await cluster.kubectl(
    'get',
    'pod',
    pod,
    '--output=jsonpath={.status.containerStatuses[0].containerID}',
  );
  const task = `ctr --namespace k8s.io tasks list | awk '$1 == "${container.replace('containerd://', '')}" { print $2 }'`;
  const rules = (await onNode(`nsenter --net --target "$(${task})" iptables -S`)).split('\n');
  const out = rules.filter(rule => rule.startsWith('-A BERTH-OUT '));
  t.ok(rules.includes('-A OUTPUT -j BERTH-OUT'), rules.join('\n'));
  t.same(
    out.filter(rule => rule.endsWith('-j ACCEPT')),
    [
      '-A BERTH-OUT -o lo -j ACCEPT',
      '-A BERTH-OUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
      `-A BERTH-OUT -d ${host}/32 -p udp -m udp --dport 53 -j ACCEPT`,
      `-A BERTH-OUT -d ${host}/32 -p tcp -m tcp --dport 53 -j ACCEPT`,
    ],
    'nothing private but name servers',
  );
  t.ok(CLOSED.includes('169.254.0.0/16'));
  t.same(
    CLOSED.filter(range => !out.includes(`-A BERTH-OUT -d ${range} -j DROP`)),
    [],
    'all ranges are closed, the metadata among them',
  );
  t.match(out.join('\n'), /--connlimit-above \d+ .*-j DROP[^]*--hashlimit-above .*-j DROP/);
  await service.api('DELETE', `/v0/vm/${id}`);
});

t.test('policies that nothing enforces are refused in words', async t => {
  const env = { ...cluster.env, ...NODES, BERTH_KUBERNETES_EGRESS: 'policy' };
  const service = await startService(t, env, { wait: false });
  t.equal(await service.exited(), 1);
  t.match(
    service.log(),
    /berth: The cluster's network plugin does not enforce network policies: .* set BERTH_KUBERNETES_EGRESS=filter\. .*the service does not start/,
  );
});

t.test('policies that a stand-in for a network plugin enforces', async t => {
  const plugin = '/usr/lib/cni/bridge';
  await docker('cp', 'test/fixtures/kubernetes/cluster/policy-stand-in.sh', `${node}:${plugin}.new`);
  await onNode(`chmod +x ${plugin}.new && cp ${plugin} ${plugin}.real && mv ${plugin}.new ${plugin}`);
  t.teardown(() => onNode(`mv ${plugin}.real ${plugin}`));
  const env = { ...cluster.env, ...NODES, BERTH_KUBERNETES_EGRESS: 'policy' };
  await t.test('are refused in words where sessions would resolve no name', async t => {
    const service = await startService(t, env, { wait: false });
    t.equal(await service.exited(), 1);
    t.match(service.log(), /berth: .* would resolve no name\. Set BERTH_KUBERNETES_NAME_SERVERS to .*does not start/);
  });
  await t.test('are accepted with the name servers, and close the same', async t => {
    const service = await startService(t, { ...env, BERTH_KUBERNETES_NAME_SERVERS: host });
    await closesAllButNames(t, service);
  });
});

/** A session of this service reaches name servers, and nothing else that is private. */
async function closesAllButNames(t: Test, service: Service): Promise<void> {
  const { id, pod } = await start(service);
  t.same(await reached(pod), []);
  t.match(await cluster.inPod(pod, 'getent ahostsv4 a-name.test'), new RegExp(`^${NAMED.replaceAll('.', '\\.')} `));
  t.same(await reached('open'), Object.keys(DESTINATIONS), 'others are not closed');
  await service.api('DELETE', `/v0/vm/${id}`);
  await until('its Pod is gone', async () => !(await cluster.pods()).includes(pod));
}
