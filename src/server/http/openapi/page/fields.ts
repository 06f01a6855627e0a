import { escape, inline } from './html.js';

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  title?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  prefixItems?: readonly Schema[];
  oneOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  deprecated?: boolean;
  format?: string;
  [limit: string]: unknown;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** One row of a table of fields. */
export interface Field {
  /** Including the path of enclosing objects: `timeout.webhook.url`; `[]` stands for each element of a list. */
  name: string;
  schema: Schema;
  required: boolean;
}

/** A schema with its reference resolved; keywords next to the reference win. */
export function follow(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...follow(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas), ...beside };
}

/** All fields of a body, those of a nested object after the object itself. */
export function fieldsOf(body: Schema, schemas: Schemas, prefix = ''): Field[] {
  const schema = follow(body, schemas);
  if (schema.items !== undefined) return fieldsOf(schema.items, schemas, `${prefix}[].`.replace('.[]', '[]'));
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, value]): Field[] => {
    const name = `${prefix}${key}`;
    const field = { name, schema: follow(value, schemas), required: schema.required?.includes(key) ?? false };
    return [field, ...fieldsOf(value, schemas, `${name}.`)];
  });
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(each => fieldsOf(each, schemas, prefix));
  return [...own, ...variants];
}

/** A table of fields as HTML. */
export function fieldTable(fields: readonly Field[], schemas: Schemas, heading: string): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ name, schema, required }) => {
    const marks = `${required ? ' <em>required</em>' : ''}${schema.deprecated ? ' <em>deprecated</em>' : ''}`;
    return `<tr><th scope="row"><code>${escape(name)}</code>${marks}</th><td>${typeOf(schema, schemas)}</td><td>${meaning(schema)}</td></tr>`;
  });
  return `<table><caption>${escape(heading)}</caption><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const variants = [
    ...(schema.oneOf ?? []),
    ...(schema.anyOf?.some(each => each.format !== undefined) ? [] : (schema.anyOf ?? [])),
  ];
  if (variants.length > 0)
    return [...new Set(variants.map(each => typeOf(follow(each, schemas), schemas)))].join(' or ');
  if (schema.const !== undefined) return `<code>${escape(JSON.stringify(schema.const))}</code>`;
  if (schema.enum !== undefined) return schema.enum.map(each => `<code>${escape(each)}</code>`).join(' ');
  if (schema.prefixItems !== undefined) {
    return `[${schema.prefixItems.map(each => typeOf(follow(each, schemas), schemas)).join(', ')}]`;
  }
  const items = schema.items === undefined ? '' : ` of ${typeOf(follow(schema.items, schemas), schemas)}`;
  return escape([schema.type ?? 'any'].flat().join(' or ')) + items;
}

function meaning(schema: Schema): string {
  const limits: string[] = [];
  const limit = (word: string, key: string, unit = '') => {
    if (schema[key] !== undefined) limits.push(`${word} ${String(schema[key])}${unit}`);
  };
  limit('at least', 'minimum');
  limit('more than', 'exclusiveMinimum');
  limit('at most', 'maximum');
  limit('at least', 'minLength', ' characters');
  limit('at most', 'maxLength', ' characters');
  limit('at most', 'maxItems', ' entries');
  if (schema.default !== undefined) limits.push(`default \`${String(schema.default)}\``);
  const rules = limits.length === 0 ? '' : ` <small>${inline(limits.join(', '))}</small>`;
  return inline(schema.description ?? '') + rules;
}
