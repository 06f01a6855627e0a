import t from 'tap';
import { fromHelper } from '../../../src/protocol/display-helper.js';
import { MessageType } from '../../../src/protocol/message-type.js';
import { launchAndroid } from '../../fixtures/android.js';
import { StandIn } from '../../fixtures/stand-in.js';
import { until } from '../../fixtures/until.js';
import { Computer } from './computer.js';
import { Service } from './service.js';

const device = await StandIn.start(t);
const computer = await Computer.start(t, { image: 'android-device' });
const service = await Service.connect(t, computer);

t.before(async () => {
  service.watch(true, true);
  service.tell(launchAndroid(device.host));
  await until('it runs', () => service.state === 'running', 60_000).catch(async error => {
    t.comment(JSON.stringify(service.states), await computer.log());
    throw error;
  });
});

t.test("a device's picture reaches the link, and the steps before it are told", async t => {
  t.same(
    service.states.map(({ state, step }) => step ?? state),
    ['idle', 'starting', 'connect', 'boot', 'clean', 'picture', 'running'],
  );
  await until('a key frame', () => service.keyFrames().length > 0);
  const display = service.of(MessageType.display).map(message => fromHelper.display.decode(message));
  t.match(display, [{ width: 720, height: 1280 }]);
  t.same((await device.events('encoder')).at(-1)?.size, [720, 1280]);
});
