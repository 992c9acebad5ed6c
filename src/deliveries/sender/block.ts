/** Why nothing of a mailing goes out now, in the words of reports. */
import type { ActiveMailing } from "./mailings.ts";
import { isUsedUp } from "./pump.ts";

const USED_UP = "Today's share of the warm-up is used up: the others go out from tomorrow on.";

const SHOWN_DOMAINS = 5;

function waitsForDomains(domains: readonly string[]): string | null {
  if (domains.length === 0) return null;
  const more = domains.length - SHOWN_DOMAINS;
  return `The others wait for ${domains.slice(0, SHOWN_DOMAINS).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** `why` is null where it is going out. `passes`: what stops it ends by itself. */
type Block = { readonly why: string | null; readonly passes?: boolean };

/**
 * @param active undefined: the sender does not have the mailing
 * @param unmade why its letter cannot be made
 * @param isFailing whether the database cannot be written
 */
export function blockOf(active: ActiveMailing | undefined, unmade: Block | null, isFailing: boolean): Block {
  if (active === undefined) return unmade ?? { why: null };
  const { wayOut } = active;
  if ("blocked" in wayOut) return { why: wayOut.blocked, ...(wayOut.isQuiet ? { passes: true } : {}) };
  if (isFailing) return { why: "The database cannot be written." };
  if (isUsedUp(active)) return { why: USED_UP, passes: true };
  const stopped = wayOut.relays.stoppedBy(wayOut.senderKey);
  return stopped ?? { why: waitsForDomains(active.feed.waitsFor), passes: true };
}
