/**
 * What reports say of one recipient, from the softest to the hardest. Only `hard` and `complaint` judge a person at
 * once; `soft` counts as a strike; the others judge nobody.
 *
 *   delivered  it arrived (RFC 3464, Action: delivered, relayed or expanded)
 *   delayed    it is still being tried
 *   policy     refused because of the sender, the content or a rule of the other side
 *   soft       it failed, and that may pass: a full mailbox, time is over, words that are no proof
 *   hard       nobody reads this address
 */
const FAILURE_KINDS = ["delivered", "delayed", "policy", "soft", "hard"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Kinds that are kept with the message and shown on the person's timeline. */
export const KEPT_KINDS = ["delayed", "policy", "soft", "hard", "complaint", "auto_reply"] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

export type ReportKind = FailureKind | KeptKind;

/** What a report says of one recipient. */
export type Report = {
  readonly kind: ReportKind;
  /** In our words, as for a relay's replies (`deliveries/reply`): `USER_UNKNOWN`. */
  readonly reason: string;
  /** Enhanced status (RFC 3463); "" for none. */
  readonly status: string;
  /** The report's own words, on one line of at most `WORDS_MAX` characters. */
  readonly words: string;
  /** Stored forms of the addresses that it names. They may be others than we wrote to (forwarding). */
  readonly recipients: readonly string[];
};

const WORDS_MAX = 512;

const hardness = ({ kind }: Report): number => (FAILURE_KINDS as readonly string[]).indexOf(kind);

/**
 * The one report of a mail that counts for an address: what it says about the address itself, else about
 * anybody it may have been forwarded to. If these differ, the softest counts: in doubt nobody is judged.
 */
export function reportAbout(reports: readonly Report[], address: string): Report | null {
  const own = reports.filter(({ recipients }) => recipients.includes(address));
  const [softest] = (own.length > 0 ? own : reports).toSorted((a, b) => hardness(a) - hardness(b));
  return softest ?? null;
}

/** A text on one line, without control characters. */
export const oneLineOf = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, WORDS_MAX)
    .toWellFormed();
