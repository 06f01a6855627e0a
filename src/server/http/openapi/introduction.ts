/** The introduction of the document. */
export const INTRODUCTION = `Starts cloud computers, called sessions, and streams them to web pages.

Start a session with an API key. Open its \`embed_url\` in a browser, in an iframe, or with the web SDK. \
\`embed_url\` without its query is the session's own address, the base of the calls under /s/{session_id}.

A credential is sent as \`Authorization: Bearer <credential>\`; the bare credential is accepted too.

A JSON body is read whatever its content type says; 415 is for multipart and binary types.

Errors have the body \`{code, message, details}\`; \`details\` names each field that is wrong by a JSON pointer. \
Unknown fields are errors; with the header \`Prefer: handling=lenient\` they are ignored. \
429 and 503 carry \`Retry-After\` in seconds. \
Answers, webhook bodies and the list of codes may gain entries without notice: ignore what you do not know.`;

/** The groups of operations, in order. */
export const TAGS = [
  { name: 'Sessions', description: 'Starting, listing, reading and ending sessions. With the API key.' },
  { name: 'Usage', description: 'How long sessions have run.' },
  {
    name: 'Session address',
    description: 'What a web client opens. The stream itself is a WebSocket at /s/{session_id}/stream.',
  },
  {
    name: 'Session calls',
    description: 'Calls of integrators to a session, with its admin token. Allowed from web pages of any origin.',
  },
  {
    name: 'Session files',
    description: "File transfer between viewers and the session, with a viewer's ticket or the admin token.",
  },
  { name: 'Service', description: 'Health, metrics and this description.' },
] as const;
