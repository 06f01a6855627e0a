import type { ChromiumOptions, LaunchChromium } from '../../../protocol/generated/schemas.js';

/** The policies that send the browser's requests through a proxy; its credentials go to the internal extension. */
export function proxyPolicies(proxy: ChromiumOptions['http_proxy']): Record<string, unknown> {
  if (proxy === undefined) return {};
  const address = /^https?:\/\/\S+$/i.test(proxy.pac.trim())
    ? proxy.pac.trim()
    : `data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(proxy.pac).toString('base64')}`;
  // Mandatory: if the script fails, requests fail too, instead of bypassing the proxy.
  return { ProxySettings: { ProxyMode: 'pac_script', ProxyPacUrl: address, ProxyPacMandatory: true } };
}

/** A launch without secrets, which may be written to disk. */
export function withoutPassword(launch: LaunchChromium): LaunchChromium {
  if (launch.chromium.http_proxy === undefined) return launch;
  const { password: _, ...http_proxy } = launch.chromium.http_proxy;
  return { ...launch, chromium: { ...launch.chromium, http_proxy } };
}
