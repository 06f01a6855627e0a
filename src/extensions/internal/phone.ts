import type { Equipment } from '../../protocol/extension.js';

interface HighEntropy {
  readonly brands: readonly object[];
  readonly fullVersionList: readonly object[];
}

type Hinted = Navigator & { readonly userAgentData: { getHighEntropyValues(hints: string[]): Promise<HighEntropy> } };

/**
 * Has a tab say that it is one of Chrome on a phone, and with it frames of other sites and workers. The browser's own user
 * agent is that already. Workers have no brands but those that they are told.
 */
export async function phone(): Promise<Equipment> {
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
    waits: true,
  };
}
