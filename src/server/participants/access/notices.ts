import { type Access, mayControl, mayDownload, mayReadTabs, maySee, mayUpload } from '../../model/index.js';
import { costOf, Pace } from '../viewer/pace.js';
import { tellAll, type Viewer } from '../viewer/viewer.js';
import type {
  Dialogs,
  Download,
  FileChooser,
  Notice as AgentNotice,
  SessionEvent,
  Windows,
} from '../../../protocol/generated/schemas.js';
import { TokenBucket } from '../../lib/token-bucket.js';
import type { PrivateDownloads } from './private-downloads.js';

/** Agent events, most of which concern viewers with a certain role. */
export type Notice = SessionEvent | Download | FileChooser | Dialogs | Windows | AgentNotice;

/** Downloads replayed to viewers who join later, or are given the role later. */
const DOWNLOADS_KEPT = 100;

/**
 * What events and notices may cost, in messages to viewers: a page that changes its title all the time makes as many of them as an
 * agent may send, and each goes to all who have the role.
 */
const EVENTS = { perSecond: 10_000, burst: 10_000 };

/** Minimum interval between two states of the file chooser, or the dialogs, of which the newest is enough, ms. */
const STATE_INTERVAL_MS = 100;

/** Minimum interval between two lists of the windows, of which the newest is enough, ms. */
const WINDOWS_INTERVAL_MS = 200;

/** Rate limit for downloads, so that a hostile container cannot flood viewers. */
const DOWNLOADS = { perSecond: 5, burst: 200 };

/** Forwards events in a session to the viewers that may see them. */
export class Notices {
  readonly #viewers: Iterable<Viewer>;
  readonly #privately: () => PrivateDownloads;
  readonly #rate = new TokenBucket(DOWNLOADS.perSecond, DOWNLOADS.burst);
  readonly #events = new TokenBucket(EVENTS.perSecond, EVENTS.burst);
  #downloads: Download[] = [];
  readonly #choosers = new Pace(STATE_INTERVAL_MS, () => this.#tellKnowing(this.#chooser));
  #chooser: FileChooser = { type: 'file_chooser', open: false };
  readonly #openDialogs = new Pace(STATE_INTERVAL_MS, () => this.#tellKnowing(this.#dialogs));
  #dialogs: Dialogs = { type: 'dialogs', dialogs: [] };
  readonly #lists = new Pace(WINDOWS_INTERVAL_MS, () =>
    this.#windows === undefined ? 0 : this.#tellKnowing(this.#windows),
  );
  /** Undefined: the agent does not say. */
  #windows: Windows | undefined;

  /** `privately`: which downloads are not for all. */
  constructor(viewers: Iterable<Viewer>, privately: () => PrivateDownloads) {
    this.#viewers = viewers;
    this.#privately = privately;
  }

  /** Tells it the viewers that may see it, unless there are too many of them. */
  tell(notice: Notice): void {
    // An agent repeats its downloads on a new link.
    if (notice.type === 'download') {
      if (this.#downloads.some(({ id }) => id === notice.id) || !this.#rate.take(performance.now())) return;
      this.#downloads = [...this.#downloads, notice].slice(-DOWNLOADS_KEPT);
      this.#privately().came(notice.id);
    }
    if (notice.type === 'file_chooser') {
      this.#chooser = notice;
      return void this.#choosers.due();
    }
    if (notice.type === 'windows') {
      this.#windows = notice;
      return void this.#lists.due();
    }
    if (notice.type === 'dialogs') {
      const isNews = notice.dialogs.length > 0 || this.#dialogs.dialogs.length > 0;
      this.#dialogs = notice;
      return isNews ? void this.#openDialogs.due() : undefined;
    }
    const now = performance.now();
    // What is paid for is known afterwards.
    if (notice.type === 'download' || this.#events.holds(now, 1)) this.#events.spend(now, this.#tellKnowing(notice));
  }

  stop(): void {
    this.#choosers.stop();
    this.#openDialogs.stop();
    this.#lists.stop();
  }

  /** Returns what it cost. */
  #tellKnowing(notice: Notice): number {
    const knowing = [...this.#viewers].filter(({ access }) => mayKnow(access, notice));
    return costOf(knowing.length, tellAll(knowing, notice));
  }

  /** Tells a viewer what it missed with the access it had `before`; undefined if it has just joined. */
  catchUp(viewer: Viewer, before?: Access): void {
    const current: Notice[] = [
      ...this.#downloads.filter(({ id }) => !this.#privately().withholds(id)),
      ...(this.#chooser.open ? [this.#chooser] : []),
      ...(this.#dialogs.dialogs.length > 0 ? [this.#dialogs] : []),
      ...(this.#windows === undefined ? [] : [this.#windows]),
    ];
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
    case 'dialogs':
    case 'windows':
      return mayControl(access);
    case 'notice':
      return maySee(access);
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
