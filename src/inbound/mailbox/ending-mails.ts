import { putLast } from "#core/remembered.ts";
import { HOUR_MS } from "#core/time/time.ts";
import type { FoundMail } from "#mail/mailbox/mailbox.ts";

/** Once may be chance: a connection ends at some mail. */
const ENDS = 2;
const AVOIDED_MS = HOUR_MS;
/** The oldest are forgotten, and tried again. */
const MAILS_MAX = 1_000;

type Ends = { readonly count: number; readonly lastMs: number };

/**
 * Mails at which a server ended the session, as some do at a damaged one, or at one that they announce with a wrong
 * size. Each session would end there, and nothing behind it would be read. So such a mail is avoided for an hour after
 * the second time, and after each further one. Times are monotonic.
 */
export class EndingMails {
  readonly #mails = new Map<string, Ends>();

  endedAt({ key }: FoundMail, nowMs: number): void {
    const count = (this.#mails.get(key)?.count ?? 0) + 1;
    putLast(this.#mails, key, { count, lastMs: nowMs }, MAILS_MAX);
  }

  /** The session went on behind this mail. */
  hasPassed({ key }: FoundMail): void {
    this.#mails.delete(key);
  }

  isAvoided({ key }: FoundMail, nowMs: number): boolean {
    const ends = this.#mails.get(key);
    return ends !== undefined && ends.count >= ENDS && nowMs - ends.lastMs < AVOIDED_MS;
  }
}
