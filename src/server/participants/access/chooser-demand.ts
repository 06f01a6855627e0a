import { mayUpload } from '../../model/index.js';
import type { Viewer } from '../viewer/viewer.js';

/** Has the agent leave pages' file choosers to viewers, while there is one who can answer them. */
export class ChooserDemand {
  readonly #viewers: Iterable<Viewer>;
  readonly #enable: (enabled: boolean) => void;
  #enabled = false;

  constructor(viewers: Iterable<Viewer>, enable: (enabled: boolean) => void) {
    this.#viewers = viewers;
    this.#enable = enable;
  }

  /** Viewers came, left, or may do something else now. */
  update(): void {
    const enabled = [...this.#viewers].some(viewer => viewer.answersChoosers && mayUpload(viewer.access));
    if (enabled === this.#enabled) return;
    this.#enabled = enabled;
    this.#enable(enabled);
  }

  /** Tells an agent that may not know: it may have heard otherwise before its link was lost. */
  renew(): void {
    this.#enable(this.#enabled);
  }
}
