import { basename } from 'node:path/posix';

const MAX_LENGTH = 128;

/**
 * The file name of a download: from its response headers, or else the end of its address. Only the extension matters,
 * and only where the content of a game does not tell what it is.
 */
export function fileName(disposition: string | undefined, url: URL): string {
  const encoded = /filename\*\s*=\s*(?:utf-8)?''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition ?? '');
  const name = decode(encoded) ?? plain?.[1] ?? plain?.[2] ?? decode(url.pathname) ?? '';
  return basename(name.replaceAll('\\', '/')).slice(-MAX_LENGTH);
}

function decode(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}
