// tags: containers
import { randomBytes } from 'node:crypto';
import t from 'tap';
import { namesOf } from '../../../src/server/engines/docker/names.js';
import { docker } from '../../fixtures/engines/docker.js';
import { keepsContract } from '../../fixtures/engines/contract.js';

const instance = `berth-test-${randomBytes(4).toString('hex')}`;
const container = (sessionId: string) => namesOf(instance).container(sessionId);

await keepsContract(t, {
  env: {
    BERTH_INSTANCE: instance,
    ...(process.env['BERTH_IMAGE_PREFIX'] ? { BERTH_IMAGE_PREFIX: process.env['BERTH_IMAGE_PREFIX'] } : {}),
  },
  // The image that sets the rules must be there: it is another one's name that is not.
  withoutImage: { BERTH_IMAGE_PREFIX: 'berth-test-none', BERTH_EGRESS: 'open' },
  kill: async sessionId => void (await docker('kill', container(sessionId))),
  isGone: async sessionId => (await docker('ps', '-aq', '--filter', `name=${container(sessionId)}`)) === '',
});
