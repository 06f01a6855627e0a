import { escape, inline, prose } from './html.js';
import { callsOf, type OpenApi } from './model.js';
import { operationSection, webhookSection } from './operation.js';

/** Renders an OpenAPI document as a complete HTML page without scripts. Its stylesheet is next to it, `docs.css`. */
export function docsPage(document: OpenApi): string {
  const { info, tags, webhooks } = document;
  const groups = tags.map(({ name, description }) => ({ name, description, calls: callsOf(document, name) }));
  const hooks = Object.values(webhooks).flatMap(methods => Object.values(methods));
  const index = groups.map(
    ({ name, calls }) => `<li><a href="#${anchor(name)}">${escape(name)}</a><ul>
${calls.map(({ operation }) => `<li><a href="#${escape(operation.operationId)}">${escape(operation.summary)}</a></li>`).join('\n')}
</ul></li>`,
  );
  const sections = groups.map(
    ({
      name,
      description,
      calls,
    }) => `<section id="${anchor(name)}"><h2>${escape(name)}</h2><p>${inline(description)}</p>
${calls.map(call => operationSection(call, document)).join('\n')}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info.title)} API</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="docs.css">
</head>
<body>
<nav aria-label="Calls"><a class="name" href="#top">${escape(info.title)} <small>${escape(info.version)}</small></a>
<ul>${index.join('\n')}
<li><a href="#webhooks">Webhooks</a><ul>
${hooks.map(({ operationId, summary }) => `<li><a href="#${escape(operationId)}">${escape(summary)}</a></li>`).join('\n')}
</ul></li>
<li><a href="#errors">Errors</a></li></ul>
<p><a href="openapi.json">openapi.json</a></p></nav>
<main id="top"><h1>${escape(info.title)} API</h1>
${prose(info.description)}
${sections.join('\n')}
<section id="webhooks"><h2>Webhooks</h2><p>Requests that the service sends to your backend.</p>
${hooks.map(each => webhookSection(each, document.components.schemas)).join('\n')}</section>
<section id="errors"><h2>Errors</h2>${errorTable(document)}</section>
</main>
</body>
</html>
`;
}

const anchor = (name: string) => name.toLowerCase().replaceAll(' ', '-');

function errorTable(document: OpenApi): string {
  const rows = document['x-errors'].map(
    ({ status, code, message }) =>
      `<tr><th scope="row"><code>${code}</code></th><td>${status}</td><td>${inline(message)}</td></tr>`,
  );
  return `<table><caption>The codes of error bodies</caption><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">What to do</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
}
