/**
 * Refuses to create and use passkeys at once, since the session has no authenticator: Chromium would wait for one
 * without a dialog, and pages with it. They are told beforehand, too, so that they need not offer any.
 */
export function refusePasskeys(): void {
  const { webAuthenticationProxy: proxy } = chrome;
  const error = { name: 'NotAllowedError', message: 'There is no authenticator in this browser.' };
  proxy.onCreateRequest.addListener(({ requestId }) => void proxy.completeCreateRequest({ requestId, error }));
  proxy.onGetRequest.addListener(({ requestId }) => void proxy.completeGetRequest({ requestId, error }));
  proxy.onIsUvpaaRequest.addListener(
    ({ requestId }) => void proxy.completeIsUvpaaRequest({ requestId, isUvpaa: false }),
  );
  void proxy.attach();
}
