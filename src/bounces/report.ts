/**
 * What reports say about one recipient, from the softest to the hardest. Only `hard` and `complaint` have an effect
 * on a person at once; `soft` counts as a strike; the others have none.
 *
 *   delivered  it arrived (RFC 3464, Action: delivered, relayed or expanded)
 *   delayed    it is still being tried
 *   policy     refused because of the sender, the content or a rule of the other side; or no server answered
 *   soft       it failed, perhaps only for now: a full mailbox, a server that is busy for days, words that are no proof
 *   hard       nobody reads this address
 */
const FAILURE_KINDS = ["delivered", "delayed", "policy", "soft", "hard"] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

/** Kinds that are stored with the message and shown on the person's timeline. */
export const KEPT_KINDS = ["delayed", "policy", "soft", "hard", "complaint", "auto_reply"] as const;
export type KeptKind = (typeof KEPT_KINDS)[number];

export type ReportKind = FailureKind | KeptKind;

/** What a report says about one recipient. */
export type Report = {
  readonly kind: ReportKind;
  /** The reason in our terms, as for a relay's replies (`deliveries/reply`): `USER_UNKNOWN`. */
  readonly reason: string;
  /** Enhanced status (RFC 3463); "" if there is none. */
  readonly status: string;
  /** The report's own words, on one line of at most `WORDS_MAX` characters. */
  readonly words: string;
  /** The addresses that it names, in stored form. They may differ from the one that we wrote to (forwarding). */
  readonly recipients: readonly string[];
};

const WORDS_MAX = 512;

const hardness = ({ kind }: Report): number => (FAILURE_KINDS as readonly string[]).indexOf(kind);

/**
 * The one report of a mail that counts for an address: about the address itself, otherwise about any address that
 * the mail may have been forwarded to. If several differ, the softest counts: in doubt nobody is judged.
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
