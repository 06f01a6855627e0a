/**
 * Generates src/protocol/generated/ from schemas/: types, schema objects, the agent's validators, and types of the
 * calls. Also generates the display helper's header with its messages.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import openapiTS, { astToString } from 'openapi-typescript';
import { helperHeaders } from './lib/helper-header.js';
import { standaloneValidator } from './standalone.js';

const schemaFolder = fileURLToPath(new URL('../schemas/', import.meta.url));
const outputFolder = fileURLToPath(new URL('../src/protocol/generated/', import.meta.url));

const schemas: Record<string, JSONSchema> = {};
const files = (await readdir(schemaFolder)).filter(name => name.endsWith('.json')).sort();
for (const file of files) schemas[file] = JSON.parse(await readFile(schemaFolder + file, 'utf8')) as JSONSchema;

/** One root that refers to every titled schema, so that each becomes one exported type. */
const root: JSONSchema = {
  title: 'AllSchemas',
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    files
      .flatMap(file => [
        ...(schemas[file]?.['properties'] ? [`${file}#`] : []),
        ...Object.keys((schemas[file]?.$defs ?? {}) as object).map(name => `${file}#/$defs/${name}`),
      ])
      .map(ref => [ref.replace('#/$defs', '').replace('#', ''), { $ref: ref }]),
  ),
};

/** The agent's validators: the file of each, its schema and its type. */
const AGENT_VALIDATORS = [
  ['to-agent', 'link.json#/$defs/to_agent', 'ToAgent'],
  ['from-extension', 'extension.json#/$defs/from_extension', 'FromExtension'],
  ['extension-tab', 'extension.json#/$defs/tab', 'ExtensionTab'],
] as const;

const types = await compile(root, 'AllSchemas', {
  cwd: schemaFolder,
  bannerComment: '/* Generated from schemas/ by scripts/generate.ts. */',
  additionalProperties: false,
  style: { singleQuote: true },
});
await mkdir(outputFolder, { recursive: true });
await keep(
  `${outputFolder}schemas.ts`,
  `${types}\nexport const schemas: Record<string, object> = ${JSON.stringify(schemas, null, 2)};\n`,
);
for (const [file, ref, type] of AGENT_VALIDATORS) {
  await keep(`${outputFolder}${file}.js`, standaloneValidator(Object.values(schemas), ref));
  await keep(
    `${outputFolder}${file}.d.ts`,
    `import type { ${type} } from './schemas.js';\nexport default function validate(value: unknown): value is ${type};\n`,
  );
}
await keep(`${outputFolder}openapi.ts`, await openApiTypes());

for (const [path, header] of Object.entries(helperHeaders())) {
  await keep(fileURLToPath(new URL(`../${path}`, import.meta.url)), header);
}

/** Writes a file unless it has this content: several commands generate at the same time, and read it. */
async function keep(file: string, content: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => null)) !== content) await writeFile(file, content);
}

/** Types of the calls in the OpenAPI document, which in turn needs the generated schemas. */
async function openApiTypes(): Promise<string> {
  const { openApiDocument } = await import('../src/server/http/openapi/document.js');
  const document = JSON.stringify(openApiDocument('0.0.0'));
  return `/* Generated from the OpenAPI document by scripts/generate.ts. */\n${astToString(await openapiTS(document, { defaultNonNullable: false }))}`;
}
