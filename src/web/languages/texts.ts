import { isRightToLeft, type Language } from '../../protocol/languages.js';
import { ENGLISH, type Plural } from './english.js';

type English = typeof ENGLISH;

/** Names a sentence. */
export type Key = keyof English;

/** The sentences of a language: it has all of them, and the forms of its own for numbers. */
export type Table = { readonly [K in Key]: English[K] extends string ? string : Plural };

/** The names of the values in a sentence. */
type Names<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

type NamesOf<K extends Key> = Names<English[K] extends string ? English[K] : English[K]['other' & keyof English[K]]>;

type Values<K extends Key> = Readonly<Record<NamesOf<K>, string | number>>;

/** Gives a sentence, with the values that it has places for; numbers are written as the language does. */
export type Say = <K extends Key>(key: K, ...values: [NamesOf<K>] extends [never] ? [] : [values: Values<K>]) => string;

/** A sentence in whichever language it is read later. */
export type Sentence = (texts: Texts) => string;

/** The sentences of one language. What its table lacks, since it is that of another version, is English. */
export class Texts {
  readonly language: Language;
  readonly #table: Table;
  readonly #numbers: Intl.NumberFormat;
  readonly #plurals: Intl.PluralRules;

  constructor(language: Language, table: Partial<Table>) {
    this.language = language;
    this.#table = { ...ENGLISH, ...table };
    this.#numbers = new Intl.NumberFormat(language);
    this.#plurals = new Intl.PluralRules(language);
  }

  /** The direction in which it is written. */
  get direction(): 'ltr' | 'rtl' {
    return isRightToLeft(this.language) ? 'rtl' : 'ltr';
  }

  readonly say: Say = (key, ...[values = {}]) => {
    const sentence = this.#table[key];
    const named: Readonly<Record<string, string | number | undefined>> = values;
    return this.#form(sentence, Number(named['count'])).replaceAll(/\{(\w+)\}/g, (place, name: string) => {
      const value = named[name];
      if (typeof value === 'number') return this.#numbers.format(value);
      return value === undefined ? place : this.#apart(value);
    });
  };

  /** What the service says with a code that has a sentence here; the service's own sentences are English. */
  translated(key: string, message: string, values: Readonly<Record<string, string>> = {}): string {
    const isKnown = this.language !== 'en' && Object.hasOwn(ENGLISH, key);
    return isKnown ? (this.say as (key: string, values: object) => string)(key, values) : message;
  }

  #form(sentence: string | Plural, count: number): string {
    if (typeof sentence === 'string') return sentence;
    return sentence[this.#plurals.select(count)] ?? sentence.other;
  }

  /** In text from right to left, names of the other direction would move what is beside them. */
  #apart(value: string): string {
    return this.direction === 'rtl' ? `\u2068${value}\u2069` : value;
  }
}

/** What is there before any other language has been loaded. */
export const ENGLISH_TEXTS = new Texts('en', {});
