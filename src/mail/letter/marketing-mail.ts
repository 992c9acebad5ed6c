import type { Instant } from "#core/clock.ts";
import type { Result } from "#core/errors.ts";
import type { LiquidPiece } from "#mail/liquid/liquid.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import type { Tokens } from "./recipient-tokens.ts";

/**
 * What all messages of a mailing share around their subject and HTML. Texts may hold anything; header values
 * are made safe or refused.
 */
export type MarketingFrame = {
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
  readonly workspaceName: string;
  readonly mailingAddress: string;
  /** Null for mail that is sent to no list: it has no List-Id. */
  readonly list: { readonly id: string; readonly name: string } | null;
  readonly workspaceId: string;
  /** The whole value of the Feedback-ID field. */
  readonly feedbackId: string;
  /** Where the public pages are, without a trailing slash. */
  readonly baseUrl: string;
  readonly trackOpens: boolean;
  readonly trackClicks: boolean;
};

/** One mailing with the same words for everybody. The author's HTML is sent as written. */
export type MarketingSource = MarketingFrame & { readonly html: string; readonly subject: string };

/**
 * One mailing whose HTML may hold values that differ from message to message. The pieces may come from any of
 * its messages: the text between the values is the same in all of them. A subject of null means that each
 * message has its own.
 */
export type MarketingTemplate = MarketingFrame & {
  readonly html: readonly LiquidPiece[];
  readonly subject: string | null;
};

/** What differs between two messages of a mailing, besides their words. */
export type Recipient = {
  readonly address: string;
  /** Without angle brackets; the same on every attempt. */
  readonly messageId: string;
  /** When the first attempt began. */
  readonly date: Instant;
  /** Each exactly `TOKEN_LENGTH` base64url characters. */
  readonly tokens: Tokens;
};

/** The words of one message: its subject, and its values in the order of the template's pieces. */
export type Words = { readonly subject: string; readonly values: readonly string[] };

export type MarketingLetter = {
  /** The addresses that `/c/<click token>/<index>` leads to, in the message with these values. */
  links(values: readonly string[]): string[];
  /**
   * One message. A refusal where it cannot be composed, for this recipient or for everybody. `words` are
   * needed where the template has values or no subject, and are ignored otherwise.
   */
  compose(recipient: Recipient, words?: Words): Result<FinishedMessage>;
};
