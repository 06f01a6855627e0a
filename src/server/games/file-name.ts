import { basename } from 'node:path/posix';

const MAX_LENGTH = 128;

/** What a download is called: as its answer says, else as its address ends. Only its extension matters. */
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
