import { type Access, mayDownload, mayReadTabs, mayUpload } from '../../model/index.js';
import { tellAll, type Viewer } from '../viewer/viewer.js';
import type { Download, FileChooser, SessionEvent } from '../../../protocol/generated/schemas.js';
import { TokenBucket } from '../../lib/token-bucket.js';

/** Agent events that concern viewers with a certain role. */
export type Notice = SessionEvent | Download | FileChooser;

/** Downloads replayed to viewers who join later, or are given the role later. */
const DOWNLOADS_KEPT = 100;

/** Rate limit for downloads, so that a hostile container cannot flood viewers. */
const DOWNLOADS = { perSecond: 5, burst: 200 };

/** Forwards events in a session to the viewers that may see them. */
export class Notices {
  readonly #viewers: Iterable<Viewer>;
  readonly #rate = new TokenBucket(DOWNLOADS.perSecond, DOWNLOADS.burst);
  #downloads: Download[] = [];
  #chooser: FileChooser | undefined;

  constructor(viewers: Iterable<Viewer>) {
    this.#viewers = viewers;
  }

  take(notice: Notice): void {
    // An agent repeats its downloads on a new link.
    if (notice.type === 'download') {
      if (this.#downloads.some(({ id }) => id === notice.id) || !this.#rate.take(performance.now())) return;
      this.#downloads = [...this.#downloads, notice].slice(-DOWNLOADS_KEPT);
    }
    if (notice.type === 'file_chooser') this.#chooser = notice.open ? notice : undefined;
    tellAll(
      [...this.#viewers].filter(({ access }) => mayKnow(access, notice)),
      notice,
    );
  }

  /** Tells a viewer what it missed with the access it had `before`; undefined if it has just joined. */
  catchUp(viewer: Viewer, before?: Access): void {
    const current: Notice[] = this.#chooser === undefined ? this.#downloads : [...this.#downloads, this.#chooser];
    for (const notice of current) {
      const knew = before !== undefined && mayKnow(before, notice);
      if (!knew && mayKnow(viewer.access, notice)) viewer.tell(notice);
    }
  }
}

function mayKnow(access: Access, notice: Notice): boolean {
  switch (notice.type) {
    case 'event':
      return mayReadTabs(access);
    case 'download':
      return mayDownload(access);
    case 'file_chooser':
      return mayUpload(access);
  }
}

/** Lets viewers handle pages' file choosers while at least one of them can. */
export class ChooserDelegation {
  readonly #viewers: Iterable<Viewer>;
  readonly #enable: (enabled: boolean) => void;
  #enabled = false;

  constructor(viewers: Iterable<Viewer>, enable: (enabled: boolean) => void) {
    this.#viewers = viewers;
    this.#enable = enable;
  }

  /** Viewers joined, left, or had their access changed. */
  update(): void {
    const enabled = [...this.#viewers].some(viewer => viewer.answersChoosers && mayUpload(viewer.access));
    if (enabled === this.#enabled) return;
    this.#enabled = enabled;
    this.#enable(enabled);
  }

  /** Repeats the state to an agent that may hold a different one from before its link was lost. */
  renew(): void {
    this.#enable(this.#enabled);
  }
}
