import { domainOf } from "#core/email-address.ts";
import { invalid } from "#core/errors.ts";
import { compileMarketing, type CompiledMarketing, type MarketingSource } from "#mail/marketing-template.ts";
import type { MailingContent } from "./ledger.ts";
import type { Letter } from "./service.ts";
import type { MailingUnderWay } from "./store.ts";
import { tokensOf } from "./token.ts";

export type LetterSource = { readonly secret: Uint8Array; readonly baseUrl: string };

/**
 * The compiled letter of a campaign or automation: addressed by filling in the recipient, the tokens of their links and
 * the Message-ID, which is the same at every attempt. Bounces go to the sender's own address.
 */
export function marketingLetter(
  mailing: MailingUnderWay,
  content: MailingContent,
  { secret, baseUrl }: LetterSource,
): Letter & { readonly links: readonly string[] } {
  const compiled = compiledOrNot({
    ...content,
    baseUrl,
    workspaceId: mailing.workspaceId,
    feedbackId: feedbackId(mailing),
  });
  const domain = domainOf(content.from.address);
  return {
    links: compiled.links,
    envelopeSender: content.from.address,
    compose(message, date) {
      const tokens = tokensOf(secret, message.number);
      const messageId = `${tokens.messageId}@${domain}`;
      const composed = compiled.compose({ address: message.address, messageId, date, tokens });
      return composed.ok ? { bytes: composed.value } : { problem: composed.refusal.message };
    },
  };
}

/** HTML that no part of the compiler can bear fails message by message, like any other that cannot be composed. */
function compiledOrNot(source: MarketingSource): Pick<CompiledMarketing, "links" | "compose"> {
  try {
    return compileMarketing(source);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { links: [], compose: () => invalid(problem) };
  }
}

/** Feedback-ID: campaign, workspace, kind and a constant sender id of 5 to 15 characters (mail-format, row 14). */
const feedbackId = ({ sourceId, workspaceId, kind }: MailingUnderWay): string =>
  `${sourceId}:${workspaceId}:${kind}:postrider`;
