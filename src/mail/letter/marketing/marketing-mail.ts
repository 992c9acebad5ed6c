import type { Instant } from "#core/time/clock.ts";
import type { Result } from "#core/errors/errors.ts";
import type { LiquidPiece } from "#mail/liquid/liquid.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import type { Language } from "#texts/language.ts";
import type { Utm } from "#mail/letter/letter-options.ts";
import type { TokenName, Tokens } from "#mail/letter/slots/recipient-tokens.ts";

/**
 * What all messages of a mailing share, apart from subject and HTML. Texts may contain anything; header values are
 * made safe or refused.
 */
export type MarketingFrame = {
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
  readonly workspaceName: string;
  readonly mailingAddress: string;
  /** Null for mail that is sent to no list; it has no List-Id. */
  readonly list: { readonly id: string; readonly name: string } | null;
  readonly workspaceId: string;
  /** The whole value of the Feedback-ID field. */
  readonly feedbackId: string;
  /** Where the public pages are, without a trailing slash. */
  readonly baseUrl: string;
  readonly trackOpens: boolean;
  readonly trackClicks: boolean;
  /** Parameters for the links; null or missing: none. */
  readonly utm?: Utm | null;
  /** The language of our words below the letter; English unless given. */
  readonly language?: Language;
  /** Whether the footer has a link to the page where readers choose among public lists. */
  readonly offersPreferences?: boolean;
};

/** The author's text, a value of one message, or a place for a recipient's token. */
export type LetterPiece = LiquidPiece | { readonly token: TokenName };

/** One mailing that is the same for everybody. The author's HTML is sent as written. */
export type MarketingSource = MarketingFrame & { readonly html: string; readonly subject: string };

/** The parts of a letter's body. Values in `html` and `preheader` are escaped, those in `text` are not. */
export type LetterParts = {
  readonly html: readonly LetterPiece[];
  /** Hidden text at the start of the HTML; empty or missing: none. */
  readonly preheader?: readonly LetterPiece[];
  /** The text part; null or missing: it is made from the HTML. */
  readonly text?: readonly LetterPiece[] | null;
};

/**
 * One mailing whose parts may contain values that differ from message to message. The pieces may come from any of
 * its messages: the text between the values is the same in all of them. A subject of null means that each message
 * has its own.
 */
export type MarketingTemplate = MarketingFrame & LetterParts & { readonly subject: string | null };

/** What differs between two messages of a mailing, apart from their words. */
export type Recipient = {
  readonly address: string;
  /** Without angle brackets; the same at every attempt. */
  readonly messageId: string;
  /** When the first attempt began. */
  readonly date: Instant;
  /** Each exactly `TOKEN_LENGTH` base64url characters. */
  readonly tokens: Tokens;
  /** Takes an opt-out by mail for this message; null if the service takes no mail. */
  readonly unsubscribeMailbox: string | null;
};

/**
 * The words of one message: its subject, and its values in the order of the template's pieces: those of the
 * HTML, of the preheader, of the text.
 */
export type Words = { readonly subject: string; readonly values: readonly string[] };

export type MarketingLetter = {
  /** The addresses that `/c/<click token>/<index>` leads to, in the message with these values. */
  links(values: readonly string[]): readonly string[];
  /** Which of them contain a value in their address. */
  readonly personalLinks: readonly boolean[];
  /** Characters around the values that are encoded anew for each message. */
  readonly openCharacters: number;
  /**
   * One message, or a refusal if it cannot be composed, for this recipient or for everybody. `words` are needed if
   * the template has values or no subject, and are ignored otherwise.
   */
  compose(recipient: Recipient, words?: Words): Result<FinishedMessage>;
};
