// tags: containers, waiting
/** Which devices of a pool containers reach. */
import t from 'tap';
import { AndroidSession } from '../../fixtures/android/session.js';
import { containerOf, hostAddress, shell } from '../../fixtures/engines/docker.js';
import { freeDevices } from '../../fixtures/android/free-devices.js';
import { startService, type Service } from '../../fixtures/services/service.js';
import { StandIn } from '../../fixtures/android/stand-in.js';

const [device, other] = [await StandIn.start(t), await StandIn.start(t)];

/** Whether a session's container gets a connection. */
async function reaches(service: Service, id: string, host: string, port = 5555): Promise<boolean> {
  const program = `const s=require('net').connect(${port},'${host}').on('connect',()=>process.exit(0)).on('error',()=>process.exit(1));setTimeout(()=>process.exit(2),3000)`;
  return (await shell(containerOf(service, id), `node -e "${program}"`)).status === 0;
}

for (const egress of ['private', 'open'] as const) {
  t.test(`egress ${egress}: a session reaches its own device alone, and a browser none`, async t => {
    const service = await startService(t, {
      BERTH_ANDROID_DEVICES: 'adb',
      BERTH_ANDROID_ADB: `${device.host}:5555,${other.host}:5555`,
      BERTH_EGRESS: egress,
      ...(egress === 'private' ? { BERTH_EGRESS_ALLOW: '0.0.0.0/0' } : {}),
    });
    await freeDevices(service, 2);
    const { body } = await service.api('POST', '/v0/vm');
    const session = await AndroidSession.start(service);
    await session.becomes('running');
    const port = Number(new URL(service.url).port);
    const reached = await Promise.all([
      reaches(service, session.id, device.host),
      reaches(service, session.id, other.host),
      reaches(service, session.id, await hostAddress(), port),
      reaches(service, body.session_id, device.host),
      reaches(service, body.session_id, other.host),
    ]);
    t.same(reached.slice(0, 2).sort(), [false, true], 'the session');
    t.notOk(reached[2], 'nor the host');
    t.same(reached.slice(3), [false, false], 'the browser');
  });
}
