import { negotiate } from '../../protocol/languages.js';
import { loadedTexts, loadTexts } from '../languages/load.js';
import { ENGLISH_TEXTS, type Sentence, type Texts } from '../languages/texts.js';

/** The sentences of a viewer's language: English until they are loaded, and if they cannot be. */
export class ViewerTexts {
  #current = ENGLISH_TEXTS;
  #loading: Promise<unknown> | undefined;

  /**
   * @param lang a language tag; without one, the browser's languages count
   * @param assets address of the service's files, without a slash at its end
   * @param changed is called when they are loaded
   */
  constructor(lang: string | undefined, assets: string, changed: (texts: Texts) => void) {
    const language = negotiate(lang === undefined ? navigator.languages : [lang]);
    const take = (texts: Texts) => {
      this.#current = texts;
      this.#loading = undefined;
      if (texts !== ENGLISH_TEXTS) changed(texts);
    };
    const loaded = loadedTexts(language, assets);
    if (loaded === undefined) this.#loading = loadTexts(language, assets).then(take);
    else take(loaded);
  }

  /** Passes a sentence on in the viewer's language, as soon as that is known. */
  tell(sentence: Sentence, told: (sentence: string) => void): void {
    if (this.#loading === undefined) told(sentence(this.#current));
    else void this.#loading.then(() => told(sentence(this.#current)));
  }
}
