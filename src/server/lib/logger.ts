import { pino, type DestinationStream, type Logger } from 'pino';
import { withoutSecretText } from '../../protocol/secret-text.js';
import { lineTime } from './line-time.js';
import { standardOutput } from './standard-output.js';

/** The service's log: JSON lines, with known secrets redacted, on the standard output unless another place is given. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: plainError, error: plainError, cause: plainError },
    formatters: { log: withoutSecrets },
    redact: { paths: SECRET_FIELDS.flatMap(name => [name, `*.${name}`]), censor: '[secret]' },
  };
  return pino(options, destination ?? standardLog());
}

/** Makes pino say the level of the line that it writes. */
const METADATA = Symbol.for('pino.metadata');
const WARN = 40;

/** When lines must be dropped, warnings and errors go last. */
function standardLog(): DestinationStream {
  const channel = standardOutput().channel(leftOut);
  return {
    [METADATA]: true,
    lastLevel: 0,
    write(line: string) {
      channel.write(line, this.lastLevel >= WARN);
    },
  } as DestinationStream & { lastLevel: number };
}

const leftOut = (lines: number) =>
  `${JSON.stringify({ level: WARN, time: lineTime(), lines, msg: 'log lines left out: they could not be written' })}\n`;

const SECRET_FIELDS = [
  'password',
  'bearer',
  'secret',
  'token',
  'authorization',
  'admin_token',
  'embed_url',
  'linkSecret',
  'cookie',
];

function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? withoutSecretText(value) : value]),
  );
}

interface LoggedError {
  type: string;
  message: string;
  stack: string;
  code?: string | number;
  status?: number;
  cause?: unknown;
}

/** Maximum depth of nested causes that is logged. */
const MAX_CAUSES = 5;

/**
 * What is logged of an error. Libraries attach requests, responses, headers and statements to their errors, so only
 * codes are logged of all their fields.
 */
function plainError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? withoutSecretText(error) : String(error);
  const { code, statusCode, cause } = error as { code?: unknown; statusCode?: unknown; cause?: unknown };
  return {
    type: error.name,
    message: withoutSecretText(error.message),
    stack: withoutSecretText(error.stack ?? ''),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof statusCode === 'number' ? { status: statusCode } : {}),
    ...(cause === undefined || depth >= MAX_CAUSES ? {} : { cause: plainError(cause, depth + 1) }),
  } satisfies LoggedError;
}
