import type { PrivacyMode } from '../../protocol/generated/schemas.js';

/** Who has a session in private, if anybody. */
export interface Privacy {
  /** The user's newest ID, whether or not it is connected; null: nobody, everybody sees the session. */
  readonly userId: string | null;
  /** Whether that is somebody else: this viewer gets no picture and no sound then, and its input is ignored. */
  readonly hidden: boolean;
}

/** Follows who has the session in private. */
export class PrivacyState {
  readonly #changed: (privacy: Privacy) => void;
  #ownId: string | null = null;
  #userId: string | null = null;
  #told: Privacy = { userId: null, hidden: false };

  constructor(changed: (privacy: Privacy) => void) {
    this.#changed = changed;
  }

  get hidden(): boolean {
    return this.#userId !== null && this.#userId !== this.#ownId;
  }

  /** The service has admitted the viewer, by this ID; it says soon whether somebody has the session in private. */
  welcome(ownId: string): void {
    this.#ownId = ownId;
    this.#userId = null;
  }

  update({ user_id }: PrivacyMode): void {
    this.#userId = user_id;
  }

  /** All is known: tells it if it has changed. */
  settle(): void {
    const { userId, hidden } = this.#told;
    if (userId === this.#userId && hidden === this.hidden) return;
    this.#told = { userId: this.#userId, hidden: this.hidden };
    this.#changed(this.#told);
  }
}
