import type { Instant } from "#core/clock.ts";
import type { Result } from "#core/errors.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import type { Tokens } from "./recipient-tokens.ts";

/**
 * One mailing: what all its messages share. Texts may hold anything; header values are made safe or refused.
 */
export type MarketingSource = {
  /** The author's HTML, sent as written. */
  readonly html: string;
  readonly subject: string;
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

/** What differs between two messages of a mailing. */
export type Recipient = {
  readonly address: string;
  /** Without angle brackets; the same on every attempt. */
  readonly messageId: string;
  /** When the first attempt began. */
  readonly date: Instant;
  /** Each exactly `TOKEN_LENGTH` base64url characters. */
  readonly tokens: Tokens;
};

export type CompiledMarketing = {
  /** The address that `/c/<click token>/<index>` leads to. */
  readonly links: readonly string[];
  /** Size of the decoded HTML part: Gmail clips letters above about 102 KB. */
  readonly htmlBytes: number;
  /**
   * The whole message: ASCII, CRLF. A refusal where it cannot be composed, for this recipient or for
   * everybody.
   */
  compose(recipient: Recipient): Result<FinishedMessage>;
};
