import type { Language } from '../../../protocol/languages.js';
import type { Table } from '../texts.js';
import { de } from './de.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';
import { pl } from './pl.js';
import { pt } from './pt.js';
import { tr } from './tr.js';

/** The tables of all languages but English, which pages load when they need one. */
export const TABLES: Readonly<Record<Exclude<Language, 'en'>, Table>> = { de, es, fr, pt, it, pl, tr };
