import type { Instant } from "#core/time/clock.ts";

const PAUSE_MS = 1_000;
/** As long as runs look at least this far apart, about 500 look in a second. */
const APART_MS = 2;
/** A target that was slow may be quick again, and then nobody should wait for long. */
const PAUSE_MAX_MS = 60_000;
/** A call that takes so long leaves room for few others, so nobody needs to look at any other time than these. */
const SLOW_MS = 5_000;
const TOGETHER_MS = 1_000;

/**
 * When runs look again that would call a webhook while enough calls are running. Each look is a write. If many wait for
 * a target that hangs, and each looked every second, the server would write all the time, for hours. So they look one
 * after the other; and while calls are slow, those of a second look together, in few transactions.
 */
export function callPauses() {
  const latest = new Map<string, Instant>();
  const slow = new Set<string>();
  return {
    againAt(workspaceId: string, now: Instant): Instant {
      const inTurn = (latest.get(workspaceId) ?? 0) + APART_MS;
      const at = Math.min(Math.max(now + PAUSE_MS, inTurn), now + PAUSE_MAX_MS);
      latest.set(workspaceId, at);
      return slow.has(workspaceId) ? Math.ceil(at / TOGETHER_MS) * TOGETHER_MS : at;
    },

    /** A call of the workspace has ended. */
    ended(workspaceId: string, tookMs: number): void {
      if (tookMs < SLOW_MS) slow.delete(workspaceId);
      else slow.add(workspaceId);
    },
  };
}
