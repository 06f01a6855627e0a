import type { ProxyCredentials } from '../../protocol/extension.js';

const EVERYWHERE = { urls: ['<all_urls>'] };

/**
 * Answers proxies that ask who is there; to be made while the extension starts, does nothing where the extension may
 * not look at requests. A proxy that refuses the credentials asks again, and then the person is asked.
 */
export class ProxyAnswers {
  readonly #answered = new Set<string>();
  readonly #known: Promise<ProxyCredentials | null>;
  #resolve: (credentials: ProxyCredentials | null) => void = () => undefined;

  constructor() {
    this.#known = new Promise(resolve => (this.#resolve = resolve));
    if (!('webRequest' in chrome)) return;
    chrome.webRequest.onAuthRequired.addListener(
      (details, answer) => {
        void this.#answer(details).then(response => answer?.(response));
        return undefined;
      },
      EVERYWHERE,
      ['asyncBlocking'],
    );
    const forget = ({ requestId }: { requestId: string }) => void this.#answered.delete(requestId);
    chrome.webRequest.onCompleted.addListener(forget, EVERYWHERE);
    chrome.webRequest.onErrorOccurred.addListener(forget, EVERYWHERE);
  }

  /** What proxies may be told, null for nothing; until it is known they wait. */
  know(credentials: ProxyCredentials | null): void {
    this.#resolve(credentials);
  }

  async #answer({
    isProxy,
    requestId,
  }: chrome.webRequest.OnAuthRequiredDetails): Promise<chrome.webRequest.BlockingResponse> {
    const credentials = isProxy && !this.#answered.has(requestId) ? await this.#known : null;
    if (credentials === null) return {};
    this.#answered.add(requestId);
    return { authCredentials: credentials };
  }
}
