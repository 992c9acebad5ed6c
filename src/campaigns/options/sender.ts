import { domainOf } from "#core/addresses/email-address.ts";
import { invalid, type Refusal } from "#core/errors/errors.ts";
import { quoted } from "#core/text/text.ts";

/** What a workspace's settings say about the senders of its campaigns. */
export type Senders = { readonly fromEmail: string; readonly senderDomains: readonly string[] };

/**
 * Why a campaign may not be sent from an address; null if it may. Its domain must be that of the workspace's own
 * sender, or one of its `senderDomains`.
 */
export function checkSender(address: string, { fromEmail, senderDomains }: Senders): Refusal | null {
  const own = fromEmail === "" ? [] : [domainOf(fromEmail)];
  const allowed = [...new Set([...own, ...senderDomains])];
  if (allowed.includes(domainOf(address))) return null;
  if (allowed.length === 0)
    return invalid(
      "`fromEmail`: the workspace has no sender address. Set `fromEmail` or `senderDomains` in its settings.",
    ).refusal;
  return invalid(
    `\`fromEmail\` must be an address at ${allowed.join(" or ")}, not ${quoted(domainOf(address))}. Other domains go into the setting \`senderDomains\`.`,
  ).refusal;
}
