import { VIEWER_VERSION } from '../../../protocol/message-type.js';

/** The addresses of one session, derived from its `embed_url`. */
export interface SessionAddress {
  /** `{session_base_url}/stream?token=&v=`, a WebSocket. */
  stream: string;
  /** `{session_base_url}/status?token=`. */
  status: string;
  /** `{session_base_url}`. */
  base: string;
  /** Origin and path prefix of the service. */
  service: string;
}

/** Parses an embed URL. @throws TypeError if it is invalid */
export function parseEmbedUrl(embedUrl: unknown, base?: string): SessionAddress {
  if (typeof embedUrl !== 'string' || !URL.canParse(embedUrl, base)) {
    throw new TypeError('embedURL must be the embed_url of a session');
  }
  const url = new URL(embedUrl, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('embedURL must be an http or https URL');
  url.hash = '';
  const path = url.pathname.replace(/\/$/, '');
  const at = (name: string, protocol = url.protocol) => {
    const address = new URL(url);
    address.protocol = protocol;
    address.pathname = `${path}/${name}`;
    return address.href;
  };
  return {
    stream: withVersion(at('stream', url.protocol === 'https:' ? 'wss:' : 'ws:')),
    status: at('status'),
    base: url.origin + path,
    service: url.origin + path.replace(/\/s\/[^/]*$/, ''),
  };
}

/** Says which version of the service's messages this page understands. */
function withVersion(stream: string): string {
  const url = new URL(stream);
  url.searchParams.set('v', String(VIEWER_VERSION));
  return url.href;
}
