import { readdir, readFile } from 'node:fs/promises';
import t from 'tap';
import { CALL_ERRORS, type CallErrorCode } from '../../../../src/protocol/call-errors.js';
import { startFakedSession } from '../../../fixtures/services/faked-session.js';

/** What is no mistake of the caller's, and its status. */
const NOT_THE_CALLERS: Partial<Record<CallErrorCode, number>> = {
  agent_failed: 502,
  agent_lost: 503,
  not_ready: 503,
  agent_silent: 504,
};

const RENAMED: Partial<Record<CallErrorCode, string>> = {
  unknown_method: 'not_found',
  invalid_arguments: 'invalid_body',
};

const session = await startFakedSession(t);

/** Has the session's container answer a call with an error; what the caller gets. */
function failing(code: string) {
  session.service.agent.onCall = () => ({ error: { code, message: `It is ${code}.` } });
  return session.call('POST', '/files.choose', [['upload']]);
}

t.test('errors of calls have their status: those caused by the caller are 4xx', async t => {
  for (const code of CALL_ERRORS) {
    const { status, body } = await failing(code);
    const expected = NOT_THE_CALLERS[code];
    if (expected === undefined) t.ok(status >= 400 && status < 500, `${code} is ${status}`);
    else t.equal(status, expected, code);
    t.same(body, { code: RENAMED[code] ?? code, message: `It is ${code}.` });
  }
});

t.test('a container cannot invent others', async t => {
  for (const code of ['internal', 'unauthorized', 'session_ended', 'out_of_cheese', 'constructor'])
    t.match(await failing(code), { status: 502, body: { code: 'agent_failed' } }, code);
});

t.test('every error that service and agent use is in the list, and the reverse', async t => {
  const files = await Promise.all(
    ['src/server', 'src/agent'].map(async folder =>
      (await readdir(folder, { recursive: true }))
        .filter(name => name.endsWith('.ts'))
        .map(name => `${folder}/${name}`),
    ),
  );
  const text = (await Promise.all(files.flat().map(file => readFile(file, 'utf8')))).join('\n');
  const thrown = [...text.matchAll(/new Call(?:Error|Failure)\(\s*'(\w+)'/g)].map(([, code = '']) => code);
  t.ok(thrown.length > 20, `${thrown.length} places`);
  for (const code of new Set(thrown))
    t.ok(
      CALL_ERRORS.some(each => each === code),
      code,
    );
  for (const code of CALL_ERRORS) t.match(text, `'${code}'`, code);
});
