import type { Instant } from "#core/time/clock.ts";
import type { KeptLetter } from "./letter-shelf.ts";

/** Letters that somebody looks at, for as long as they have not expired. */
export type LetterStore = {
  /** Keeps one; others give way as `withLetter` says. */
  keep(letter: KeptLetter, now: Instant): Promise<void>;
  /** The HTML; null where it has expired, gave way, or never was. */
  find(token: string, now: Instant): Promise<Uint8Array | null>;
  /** Frees what has expired. */
  forget(now: Instant): Promise<void>;
};
