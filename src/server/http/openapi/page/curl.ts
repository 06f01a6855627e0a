import type { Call } from './model.js';

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** An operation as a command line; `$BERTH` is the service's address. Credentials are variables too. */
export function curl({ method, path, operation }: Call): string {
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
