import type { Instant } from "#core/time/clock.ts";
import type { Trigger } from "#core/trigger.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { Reenroll, TriggerStep } from "#automations/flow/flow-step.ts";
import { matches, readTrigger } from "#automations/flow/trigger-node.ts";
import type { RunMove } from "#automations/run/step/node-performance.ts";
import type { RunState } from "#automations/run/step/step-outcome.ts";

/** The node where a trigger lets a contact into a flow, and how often it may. */
export type Entry = { readonly nodeId: string; readonly reenroll: Reenroll };

/**
 * The trigger node that waits for this event; null if there is none, or if its data cannot be read. If there are
 * several, the one with the smallest id: its run then fails with a message, because a flow has one trigger
 * (`step.ts`).
 */
export function entryFor(flow: Flow, trigger: Trigger): Entry | null {
  const found = triggersOf(flow).find(({ on }) => matches(on, trigger));
  return found === undefined ? null : { nodeId: found.nodeId, reenroll: found.reenroll };
}

type ReadTrigger = TriggerStep & { readonly nodeId: string };

/** The triggers of flows that were asked before. A flow never changes, many may start in it, and reading is slow. */
const known = new WeakMap<Flow, readonly ReadTrigger[]>();

/** The trigger nodes whose data can be read, the smallest id first. */
function triggersOf(flow: Flow): readonly ReadTrigger[] {
  const before = known.get(flow);
  if (before !== undefined) return before;
  const all = flow.nodes.flatMap(({ id, type, data }): ReadTrigger[] => {
    const step = type === "trigger" ? readTrigger(data) : null;
    return step?.ok === true ? [{ ...step.value, nodeId: id }] : [];
  });
  const triggers = all.toSorted((a, b) => (a.nodeId < b.nodeId ? -1 : 1));
  known.set(flow, triggers);
  return triggers;
}

/** A contact's ACTIVE run in one automation. */
export type ActiveRun = Pick<RunState, "waiting"> & { readonly nextRunAt: Instant };

/** What has been of one contact in one automation. */
export type EnrollHistory = {
  readonly active: ActiveRun | null;
  readonly everEnrolled: boolean;
  /** Whether a start that an automation caused stays already; it is asked for only if `active`. */
  readonly causedStays: boolean;
};

/** `stay`: the start is looked at again when the run is over. The others that do not enroll are forgotten. */
export type EnrollDecision = "enroll" | "stay" | "already-active" | "once-only";

/**
 * Whether a contact enters. A contact is ACTIVE at most once in an automation, under every policy. The caller must
 * check that the automation is LIVE.
 *
 * A run that stands at a wait is the contact's place in the flow, and what happens meanwhile starts nothing. Any other
 * run is only not finished yet: the engine has not come to it, or a webhook or a mail takes its time. So the start
 * stays, and the contact enters after that run; otherwise it would depend on the engine's speed which events count.
 *
 * Of the starts that automations caused (`depth` above 0), one stays: otherwise automations that start each other, and
 * do so many times in a run, would have their number multiplied with every run in the chain.
 */
export function decideEnroll(
  policy: Reenroll,
  { active, everEnrolled, causedStays }: EnrollHistory,
  { depth, now }: { readonly depth: number; readonly now: Instant },
): EnrollDecision {
  if (policy === "once" && everEnrolled) return "once-only";
  if (active === null) return "enroll";
  const isAtWait = active.waiting && active.nextRunAt > now;
  return isAtWait || (depth > 0 && causedStays) ? "already-active" : "stay";
}

/** Should nobody have called for it by then, a start that stays is looked at again after this time. */
const STAY_MS = 60_000;

/** When a start that stays is looked at again at the latest. The end of the run calls for it before (`endsStay`). */
export const staysUntil = ({ nextRunAt }: ActiveRun, now: Instant): Instant =>
  Math.max(nextRunAt, now + STAY_MS);

/** Whether the oldest start that stays for this run has its turn after this move: the run is over, or now waits. */
export const endsStay = (move: RunMove, now: Instant): boolean =>
  move.kind !== "stand" || (move.run.state.waiting && move.at > now);
