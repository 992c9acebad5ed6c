import type { Instant } from "#core/time/clock.ts";
import type { KeptLetter } from "./letter-shelf.ts";

/** Letters for previews, as long as they have not expired. */
export type LetterStore = {
  /** Keeps one, and drops others as `withLetter` says. */
  keep(letter: KeptLetter, now: Instant): Promise<void>;
  /** The HTML; null if the letter has expired, was dropped, or never existed. */
  find(token: string, now: Instant): Promise<Uint8Array | null>;
  /** Deletes what has expired. */
  forget(now: Instant): Promise<void>;
};
