import type { Settings } from "#workspaces/settings/settings.ts";

/** What decides, in an installation, whether mail to a workspace's `bounceDomain` comes in. */
export type MailIn = {
  /** Whether the service takes mail itself (`INBOUND_SMTP`). */
  readonly inboundSmtp: boolean;
};

/**
 * The domain that receives a workspace's opt-outs by mail. Null if no mail comes in: nobody is offered an address
 * that nobody reads.
 */
export function optOutDomain(
  { bounceDomain, bounceMailbox }: Pick<Settings, "bounceDomain" | "bounceMailbox">,
  { inboundSmtp }: MailIn,
): string | null {
  const comesIn = inboundSmtp || bounceMailbox !== "";
  return bounceDomain !== "" && comesIn ? bounceDomain : null;
}
