import type { TabSetup } from '../../protocol/extension.js';

interface HighEntropy {
  readonly brands: readonly object[];
  readonly fullVersionList: readonly object[];
}

type Hinted = Navigator & { readonly userAgentData: { getHighEntropyValues(hints: string[]): Promise<HighEntropy> } };

/**
 * Makes a tab report Chrome on a phone, including frames of other sites and workers. The browser's user agent already
 * does. Workers only have the brands that they are given.
 */
export async function phone(): Promise<TabSetup> {
  const { userAgent, userAgentData } = navigator as Hinted;
  const { brands, fullVersionList } = await userAgentData.getHighEntropyValues(['fullVersionList']);
  const kind = {
    platform: 'Android',
    platformVersion: '',
    architecture: '',
    model: '',
    mobile: true,
    formFactors: ['Mobile'],
  };
  const override = { userAgent, platform: 'Linux armv81', userAgentMetadata: { ...kind, brands, fullVersionList } };
  return {
    commands: [['Emulation.setUserAgentOverride', override]],
    parts: ['iframe', 'worker', 'service_worker'],
    startsPaused: true,
  };
}
