import { refuse, type Refusal } from "#core/errors/errors.ts";
import type { Settings } from "#workspaces/settings/settings.ts";

/**
 * The two switches for all of a workspace's mail: the operator suspends it, and its own settings turn it off.
 */
type Switches = Pick<Settings, "suspended" | "sending">;

const SUSPENDED = "Sending is suspended for this workspace.";
const TURNED_OFF = "Sending is turned off for this workspace.";

/** Why none of the workspace's mail is sent, for a report; null if it may be sent. */
export function sendingStoppedBy({ suspended, sending }: Switches): string | null {
  if (suspended) return SUSPENDED;
  return sending ? null : TURNED_OFF;
}

/** Refuses a request that would send; null if it may. */
export function checkMaySend({ suspended, sending }: Switches): Refusal | null {
  if (suspended) return refuse("FORBIDDEN", SUSPENDED).refusal;
  return sending ? null : refuse("FORBIDDEN", `${TURNED_OFF} Turn on \`sending\` in its settings.`).refusal;
}
