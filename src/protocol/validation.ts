import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { browserUrl } from './browser-url.js';
import { schemas } from './generated/schemas.js';
import { canonicalTimeZone } from './time-zone.js';
import { WEBHOOK_SECRET, webhookKey } from './webhook-secret.js';

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

/** A validation error: a JSON pointer to the place, and what it must be. */
export interface Problem {
  path: string;
  message: string;
}

/** Maximum number of reported errors; the first ones are kept. */
export type Result<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/** Reported if a document is wrong throughout. */
const PROBLEMS_MAX = 100;

/** A URL that can be fetched; credentials in it cannot be sent. */
const isFetchable = (text: string) => {
  try {
    const { protocol, username, password } = new URL(text);
    return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
  } catch {
    return false;
  }
};

/** One instance per set of options, since compiled schemas are shared. */
const compilers = new Map<string, Ajv2020>();

function compiler(options: Options): Ajv2020 {
  const key = JSON.stringify(options);
  let ajv = compilers.get(key);
  if (ajv) return ajv;
  ajv = new Ajv2020({
    discriminator: true,
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    // `npm run generate` has validated the schemas; doing so again would take a second at each start.
    validateSchema: false,
    // Declares the generated type where it cannot be inferred.
    keywords: ['tsType'],
    ...options,
  });
  compilers.set(key, ajv);
  addFormats(ajv);
  ajv.addFormat('http-url', isFetchable);
  ajv.addFormat('webhook-secret', text => webhookKey(text) !== null);
  ajv.addFormat('browser-url', text => browserUrl(text) !== null);
  ajv.addFormat('time-zone', text => canonicalTimeZone(text) !== null);
  for (const schema of Object.values(schemas)) ajv.addSchema(schema);
  return ajv;
}

/**
 * Makes a validator for the schema at `ref`, a file name in schemas/ with an optional pointer
 * (`viewer.json#/$defs/join`). The schema is compiled when the first value is validated.
 */
export function validator<T>(ref: string, options: Options = {}): (value: unknown) => Result<T> {
  let compiled: ValidateFunction | undefined;
  return value => {
    compiled ??= compiler(options).getSchema(ref) as ValidateFunction;
    if (compiled(value)) return { ok: true, value: value as T };
    const errors = (compiled.errors ?? []).filter(({ keyword }) => keyword !== 'if');
    return { ok: false, problems: errors.slice(0, PROBLEMS_MAX).map(problem) };
  };
}

function problem(error: ErrorObject): Problem {
  const params = error.params as Record<string, unknown>;
  const child = (params['additionalProperty'] ?? params['missingProperty']) as string | undefined;
  const path = child === undefined ? error.instancePath : `${error.instancePath}/${child}`;
  return { path, message: describe(error, params) };
}

function describe(error: ErrorObject, params: Record<string, unknown>): string {
  switch (error.keyword) {
    case 'additionalProperties':
      return 'is not a known field';
    case 'required':
      return 'is required';
    case 'dependentRequired':
      return `must be set when ${String(params['property'])} is`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'format':
      if (params['format'] === 'webhook-secret') return `must be ${WEBHOOK_SECRET}`;
      if (params['format'] === 'time-zone') return 'must be the IANA name of a time zone, such as Europe/Berlin';
      return error.message ?? 'is not valid';
    default:
      return error.message ?? 'is not valid';
  }
}
