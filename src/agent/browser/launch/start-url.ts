import { browserUrl } from '../../../protocol/browser-url.js';

export const BLANK = 'about:blank';

/** The start page, or a blank one if the address may not be opened. */
export const startUrl = (address = BLANK): string => browserUrl(address) ?? BLANK;
