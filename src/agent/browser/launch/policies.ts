import type { ChromiumOptions } from '../../../protocol/generated/schemas.js';
import { isChromePage } from '../../../protocol/browser-url.js';
import { EXTENSION_ID } from '../../../protocol/extension.js';
import { proxyPolicies } from './http-proxy.js';
import { DOWNLOAD_FOLDER } from '../paths.js';
import { searchPolicies } from './search-engine.js';
import { startUrl } from './start-url.js';

/**
 * Chromium's managed policies for a session. `caCertificates`: of authorities that it trusts besides the usual ones, in
 * base64.
 */
export function policies(options: ChromiumOptions, caCertificates: readonly string[] = []): Record<string, unknown> {
  return {
    ...CONTAINED,
    ...WITHOUT_QUESTIONS,
    ...WITHOUT_DEVICES,
    ...QUIET,
    ...COMFORT,
    ...(options.profile === undefined ? WITHOUT_PROFILE : {}),
    ...(options.kiosk ? kioskPolicies(options.start_url) : {}),
    Disable3DAPIs: !options.webgl,
    ...searchPolicies(options.search_engine),
    ...proxyPolicies(options.http_proxy),
    ...(caCertificates.length === 0 ? {} : { CACertificates: caCertificates }),
  };
}

/** Chromium's own pages on which users could disable the internal extension, or see its secrets. */
const TELLING_PAGES = ['extensions', 'flags', 'inspect', 'net-export', 'serviceworker-internals'];

/** Denies access to the container's files and ports, and to the internal extension's secrets. */
const CONTAINED = {
  URLBlocklist: ['file://*', `chrome-extension://${EXTENSION_ID}`, ...TELLING_PAGES.map(name => `chrome://${name}`)],
  RemoteDebuggingAllowed: false,
  // In another profile extensions would have Chromium's default for local files; guest mode creates its own profile.
  BrowserAddPersonEnabled: false,
  BrowserGuestModeEnabled: false,
  DownloadDirectory: DOWNLOAD_FOLDER,
  PromptForDownloadLocation: false,
};

/**
 * Types of files that Chromium calls dangerous, and holds back until somebody answers its own question about them. Here
 * nothing is done with a file but to offer it to viewers, whose own browsers judge it.
 */
const HELD_BACK = (
  'apk appimage bash bat bin cab chm class cmd com cpl crx csh deb desktop dll dmg exe hta img inf ipa ' +
  'iso jar jnlp js ksh lnk mht mhtml msc msi msix osx pkg pl ps1 py rb reg rpm run scr sh so svg swf ' +
  'url vbs vhd vhdx website wsf xht xhtml xml xpi xsl'
).split(' ');

/** Downloads go on without a question that is asked in the session only. */
const WITHOUT_QUESTIONS = {
  ExemptDomainFileTypePairsFromFileTypeDownloadWarnings: HELD_BACK.map(type => ({
    file_extension: type,
    domains: ['*'],
  })),
  // Of pages without TLS; what they load is not protected anyway. Flags allow those of pages with it.
  InsecureContentAllowedForUrls: ['http://*'],
};

/** Pages that ask for a device are refused at once: the container has none, and a list of none helps nobody. */
const WITHOUT_DEVICES = {
  DefaultSerialGuardSetting: 2,
  DefaultWebBluetoothGuardSetting: 2,
  DefaultWebHidGuardSetting: 2,
  DefaultWebUsbGuardSetting: 2,
};

/** Nothing is offered to be saved in a browser whose data are gone with its session, and that several people may use. */
const WITHOUT_PROFILE = {
  PasswordManagerEnabled: false,
  AutofillAddressEnabled: false,
  AutofillCreditCardEnabled: false,
};

/** Pages of Chromium that are not for visitors: settings, history, downloads, developer tools, the source of pages. */
const NOT_FOR_VISITORS = ['chrome://*', 'devtools://*', 'view-source:*'];

/** Pages of Chromium that calls may open without naming them, and that printing needs. */
const FOR_VISITORS = [
  'chrome://newtab',
  'chrome://new-tab-page',
  'chrome://new-tab-page-third-party',
  'chrome://print',
];

/** Keeps visitors of a kiosk on its pages, by whatever keys or menus; one of Chromium's own can be its first page. */
const kioskPolicies = (start?: string): Record<string, unknown> => ({
  IncognitoModeAvailability: 1,
  TaskManagerEndProcessEnabled: false,
  SSLErrorOverrideAllowed: false,
  URLBlocklist: [...CONTAINED.URLBlocklist, ...NOT_FOR_VISITORS],
  URLAllowlist: [...FOR_VISITORS, ...ownFirstPage(start)],
});

function ownFirstPage(start?: string): string[] {
  const name = isChromePage(start) ? new URL(startUrl(start)).hostname.toLowerCase() : '';
  return /^[a-z0-9-]+$/.test(name) && !TELLING_PAGES.includes(name) ? [`chrome://${name}`] : [];
}

/** No connections except to the pages that users open, no accounts, no background mode. */
const QUIET = {
  BackgroundModeEnabled: false,
  BrowserSignin: 0,
  SyncDisabled: true,
  MetricsReportingEnabled: false,
  UrlKeyedAnonymizedDataCollectionEnabled: false,
  UserFeedbackAllowed: false,
  ComponentUpdatesEnabled: false,
  SafeBrowsingProtectionLevel: 0,
  SafeBrowsingExtendedReportingEnabled: false,
  AlternateErrorPagesEnabled: false,
  DomainReliabilityAllowed: false,
  EnableMediaRouter: false,
  DnsOverHttpsMode: 'off',
  SpellcheckEnabled: false,
  ShoppingListEnabled: false,
  GenAiDefaultSettings: 2,
  PrivacySandboxPromptEnabled: false,
  PrivacySandboxAdTopicsEnabled: false,
  PrivacySandboxSiteEnabledAdsEnabled: false,
  PrivacySandboxAdMeasurementEnabled: false,
};

/** What guests expect of somebody else's browser. */
const COMFORT = {
  AutoplayAllowed: true,
  DefaultBrowserSettingEnabled: false,
  PromotionsEnabled: false,
  TranslateEnabled: false,
};
