import type { Language } from '../../../protocol/languages.js';
import type { Table } from '../texts.js';
import { ar } from './ar.js';
import { de } from './de.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { he } from './he.js';
import { it } from './it.js';
import { ja } from './ja.js';
import { ko } from './ko.js';
import { pl } from './pl.js';
import { pt } from './pt.js';
import { ru } from './ru.js';
import { tr } from './tr.js';
import { uk } from './uk.js';
import { zhHans } from './zh-Hans.js';
import { zhHant } from './zh-Hant.js';

/** The tables of all languages but English, which pages load when they need one. */
export const TABLES: Readonly<Record<Exclude<Language, 'en'>, Table>> = {
  de,
  es,
  fr,
  pt,
  it,
  pl,
  tr,
  ru,
  uk,
  ja,
  ko,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
  ar,
  he,
};
