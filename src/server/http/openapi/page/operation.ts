import { fieldsOf, fieldTable, follow, type Schemas } from './fields.js';
import { code, escape, formatted, inline, prose } from './html.js';
import type { Call, Media, OpenApi, OperationObject } from './model.js';

/** One operation as a section of the page. */
export function operationSection(call: Call, document: OpenApi): string {
  const { method, path, operation } = call;
  const { schemas } = document.components;
  const parameters = (operation.parameters ?? []).map(({ name, required = false, schema, description }) => ({
    name,
    required,
    schema: { ...follow(schema, schemas), ...(description ? { description } : {}) },
  }));
  return `<section id="${escape(operation.operationId)}" class="call">
<h3>${escape(operation.summary)}</h3>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code>${escape(path).replace(/\/(?=.)/g, '/<wbr>')}</code></p>
${operation.description ? prose(operation.description) : ''}
${credentials(operation, document)}
<div class="example">${code(curl(call))}</div>
${fieldTable(parameters, schemas, 'Parameters')}
${body(operation, schemas)}
${answers(operation, schemas)}
</section>`;
}

/** A request that the service sends, as a section of the page. */
export function webhookSection(operation: OperationObject, schemas: Schemas): string {
  return `<section id="${escape(operation.operationId)}" class="call">
<h3>${escape(operation.summary)}</h3>
${operation.description ? prose(operation.description) : ''}
${body(operation, schemas)}
${answers(operation, schemas)}
</section>`;
}

function credentials({ security = [] }: OperationObject, { components }: OpenApi): string {
  const schemes = security.flatMap(each => Object.keys(each));
  if (schemes.length === 0) return '<p class="credential">Needs no credential.</p>';
  const names = schemes.map(name => {
    const { description, name: parameter } = components.securitySchemes[name] ?? { description: name };
    return `<span title="${escape(description.replaceAll('`', ''))}">${CREDENTIALS[name] ?? escape(name)}${parameter ? ` as <code>?${escape(parameter)}=</code>` : ''}</span>`;
  });
  return `<p class="credential">Needs ${names.join(' or ')}.</p>`;
}

const CREDENTIALS: Record<string, string> = {
  apiKey: 'the API key',
  adminToken: 'the admin token',
  embedToken: 'the embed token',
  ticket: "a viewer's ticket",
};

function body({ requestBody }: OperationObject, schemas: Schemas): string {
  if (requestBody === undefined) return '';
  const parts = Object.entries(requestBody.content).map(
    ([type, media]) => `<h4>Body <code>${escape(type)}</code></h4>
${requestBody.description ? prose(requestBody.description) : ''}
${described(media, schemas)}
${media.example === undefined ? '' : formatted(media.example)}`,
  );
  return parts.join('\n');
}

function described({ schema }: Media, schemas: Schemas): string {
  const table = fieldTable(fieldsOf(schema, schemas), schemas, 'Fields');
  const { description } = follow(schema, schemas);
  return table === '' && description !== undefined ? prose(description) : table;
}

function answers({ responses }: OperationObject, schemas: Schemas): string {
  const all = Object.entries(responses);
  const good = all.filter(([status]) => status.startsWith('2'));
  const bad = all.filter(([status]) => !status.startsWith('2'));
  const successes = good.map(
    ([status, { description, content = {} }]) => `<h4>Answer <span class="status">${escape(status)}</span></h4>
<p>${inline(description)}</p>
${Object.values(content)
  .map(media => described(media, schemas) + (media.example === undefined ? '' : formatted(media.example)))
  .join('\n')}`,
  );
  const errors = bad.map(([status, { description }]) => `<dt>${escape(status)}</dt><dd>${prose(description)}</dd>`);
  const list = errors.length === 0 ? '' : `<details><summary>Errors</summary><dl>${errors.join('\n')}</dl></details>`;
  return `${successes.join('\n')}\n${list}`;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** An operation as a command line; `$BERTH` is the service's address. Credentials are variables too. */
function curl({ method, path, operation }: Call): string {
  const schemes = (operation.security ?? []).flatMap(each => Object.keys(each));
  const query = schemes[0] === 'embedToken' ? '?token=$TOKEN' : schemes[0] === 'ticket' ? '?ticket=$TICKET' : '';
  const address = `"$BERTH${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}${query}"`;
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${address}`];
  if (schemes.includes('adminToken')) lines.push('-H "Authorization: Bearer $ADMIN_TOKEN"');
  else if (schemes.includes('apiKey')) lines.push('-H "Authorization: Bearer $API_KEY"');
  const body = Object.entries(operation.requestBody?.content ?? {})[0];
  if (body !== undefined) {
    const [type, { example }] = body;
    if (type === 'application/json') {
      lines.push(`-d ${quote(JSON.stringify(example ?? {}, null, 2))}`);
    } else lines.push(`-H 'Content-Type: ${type}'`, '--data-binary @file');
  }
  return lines.join(' \\\n  ');
}
