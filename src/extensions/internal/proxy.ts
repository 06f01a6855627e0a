import type { ProxyCredentials } from '../../protocol/extension.js';

const EVERYWHERE = { urls: ['<all_urls>'] };

/**
 * Answers proxy authentication; must be created while the extension starts, and does nothing if the extension may not
 * inspect requests. If a proxy refuses the credentials, it asks again, and then the user is asked.
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

  /** The proxy credentials, null for none; requests wait until they are known. */
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
