import type { ChromiumOptions, SearchEngine, SearchPreset } from '../../../protocol/generated/schemas.js';

const PRESETS: Readonly<Record<SearchPreset, SearchEngine>> = {
  duckduckgo: {
    name: 'DuckDuckGo',
    keyword: 'duckduckgo.com',
    url: 'https://duckduckgo.com/?q={searchTerms}',
    suggestions_url: 'https://duckduckgo.com/ac/?q={searchTerms}&type=list',
  },
  ecosia: {
    name: 'Ecosia',
    keyword: 'ecosia.org',
    url: 'https://www.ecosia.org/search?q={searchTerms}',
    suggestions_url: 'https://ac.ecosia.org/autocomplete?q={searchTerms}&type=list',
  },
  google: {
    name: 'Google',
    keyword: 'google.com',
    url: 'https://www.google.com/search?q={searchTerms}',
    suggestions_url: 'https://www.google.com/complete/search?client=chrome&q={searchTerms}',
  },
  startpage: {
    name: 'Startpage',
    keyword: 'startpage.com',
    url: 'https://www.startpage.com/sp/search?query={searchTerms}',
    suggestions_url: 'https://www.startpage.com/suggestions?q={searchTerms}&format=opensearch',
  },
  brave: {
    name: 'Brave',
    keyword: 'search.brave.com',
    url: 'https://search.brave.com/search?q={searchTerms}',
    suggestions_url: 'https://search.brave.com/api/suggest?q={searchTerms}',
  },
};

/** The policies that set the address bar's search engine; a custom one without a suggestion URL gets no suggestions. */
export function searchPolicies(asked: ChromiumOptions['search_engine'] = 'duckduckgo'): Record<string, unknown> {
  const { name, keyword, url, suggestions_url } = typeof asked === 'string' ? PRESETS[asked] : asked;
  return {
    DefaultSearchProviderEnabled: true,
    DefaultSearchProviderName: name,
    DefaultSearchProviderKeyword: keyword,
    DefaultSearchProviderSearchURL: url,
    SearchSuggestEnabled: suggestions_url !== undefined,
    ...(suggestions_url === undefined ? {} : { DefaultSearchProviderSuggestURL: suggestions_url }),
  };
}
