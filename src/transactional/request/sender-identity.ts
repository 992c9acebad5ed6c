import { domainOf } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { senderMissing } from "#workspaces/sender-missing.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import type { SendRequest } from "./send-request.ts";

export type SenderIdentity = {
  readonly from: { readonly name: string; readonly address: string };
  readonly replyTo: string | null;
};

/** The sender of a request's mail: the workspace's sender, or another address on the same domain. */
export function decideSender(
  request: Pick<SendRequest, "from" | "fromName" | "replyTo">,
  settings: Pick<Settings, "fromEmail" | "fromName" | "replyTo">,
): Result<SenderIdentity> {
  const missing = senderMissing(settings.fromEmail);
  if (missing) return { ok: false, refusal: missing };
  const domain = domainOf(settings.fromEmail);
  const address = request.from ?? settings.fromEmail;
  if (domainOf(address) !== domain)
    return invalid(`\`from\` must be an address at ${domain}, the domain of the workspace's sender.`);
  const replyTo = request.replyTo ?? settings.replyTo;
  return accept({
    from: { name: request.fromName ?? settings.fromName, address },
    replyTo: replyTo === "" ? null : replyTo,
  });
}
