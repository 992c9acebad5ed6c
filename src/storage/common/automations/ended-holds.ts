/**
 * Ends of quiet hours that hold nobody any more. They stand beside the settings that ended them, as `HELD@ENDED`, and
 * are written in the same transaction: a server that is killed right after it does the rest when it starts again.
 */
import type { EndedHold } from "#workspaces/ended-hold.ts";

/** No person can set it, and an older version does not read it. */
export const ENDED_HOLDS_KEY = "endedHolds";

export function endedHoldsIn(written: string): EndedHold[] {
  return written
    .split(" ")
    .filter((one) => one !== "")
    .map((one) => {
      const [heldUntil, endedAt] = one.split("@");
      return { heldUntil: Number(heldUntil), endedAt: Number(endedAt) };
    });
}

/** With one more. Those that are over by themselves go. */
export const withEndedHold = (written: string, hold: EndedHold): string =>
  writtenAs([
    ...endedHoldsIn(written).filter(
      ({ heldUntil }) => heldUntil !== hold.heldUntil && heldUntil > hold.endedAt,
    ),
    hold,
  ]);

/** Without this one. If the same hours were ended once more meanwhile, that stays. */
export const withoutEndedHold = (written: string, { heldUntil, endedAt }: EndedHold): string =>
  writtenAs(endedHoldsIn(written).filter((one) => one.heldUntil !== heldUntil || one.endedAt !== endedAt));

const writtenAs = (holds: readonly EndedHold[]): string =>
  holds.map(({ heldUntil, endedAt }) => `${heldUntil}@${endedAt}`).join(" ");
