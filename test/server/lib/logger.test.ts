import t from 'tap';
import { createLogger } from '../../../src/server/lib/logger.js';

/** What is logged where this is done. */
function logged(work: (log: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  work(createLogger('info', { write: line => void (text += line) }));
  return text;
}

t.test(
  'errors are logged with message, location, codes and causes, and nothing that libraries attach to them',
  async t => {
    const cause = Object.assign(new Error('connect https://user:SECRET@host.example/'), { code: 'ECONNREFUSED' });
    const error = Object.assign(new Error('failed', { cause }), {
      statusCode: 409,
      json: { Env: ['BERTH_LINK_SECRET=SECRET'] },
      request: { headers: { authorization: 'Bearer SECRET' } },
      bindings: ['SECRET'],
      config: { url: 'https://x/?SECRET' },
    });
    const text = logged(log => log.error({ err: error, session: 'an-id' }, 'it failed'));
    t.notMatch(text, /SECRET/);
    t.match(JSON.parse(text), {
      msg: 'it failed',
      session: 'an-id',
      err: {
        type: 'Error',
        message: 'failed',
        status: 409,
        stack: /at /,
        cause: { code: 'ECONNREFUSED', message: /host\.example/ },
      },
    });
    const circular: Error = new Error('circular');
    circular.cause = circular;
    t.match(
      logged(log => log.error({ err: circular }, 'it failed')),
      /circular/,
    );
    t.match(
      logged(log => log.error({ err: 'a text' }, 'it failed')),
      /a text/,
    );
  },
);

t.test('fields that hold a secret by name or by form are left out', async t => {
  const text = logged(log =>
    log.info(
      { token: 'SECRET', proxy: { password: 'SECRET' }, reason: 'Bearer SECRET', url: 'http://a/b?token=SECRET' },
      'x',
    ),
  );
  t.notMatch(text, /SECRET/);
  t.match(text, /http:\/\/a\/b\?\[secret\]/);
});
