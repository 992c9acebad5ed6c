import type { Settings } from "#workspaces/settings/settings.ts";

/** What of an installation decides whether mail to a workspace's `bounceDomain` comes in. */
export type MailIn = {
  /** Whether the service takes mail itself (`INBOUND_SMTP`). */
  readonly inboundSmtp: boolean;
};

/**
 * The domain at which a workspace takes opt-outs by mail; null where no mail comes in, so that nobody is offered
 * an address that nobody reads.
 */
export function optOutDomain(
  { bounceDomain, bounceMailbox }: Pick<Settings, "bounceDomain" | "bounceMailbox">,
  { inboundSmtp }: MailIn,
): string | null {
  const comesIn = inboundSmtp || bounceMailbox !== "";
  return bounceDomain !== "" && comesIn ? bounceDomain : null;
}
