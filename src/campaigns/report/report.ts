import type { Instant } from "#core/time/clock.ts";
import { DELIVERY_STATES, type DeliveryState, type Progress, type SkipReason } from "#deliveries/ledger.ts";

/**
 * The state of a campaign's send. `planned` is the sum of the other states; `failed` does not include
 * `uncertain`.
 */
export type CampaignReport = {
  readonly planned: number;
  readonly sent: number;
  readonly failed: number;
  readonly uncertain: number;
  readonly remaining: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  readonly opened: number;
  readonly clicked: number;
  readonly bounced: number;
  readonly unsubscribed: number;
  /**
   * Distinct recipients: opens and clicks by clients that say they are machines, and those whose timing only looks
   * like a machine.
   */
  readonly machine: { readonly opened: number; readonly clicked: number; readonly suspected: number };
  readonly startedAt: Instant | null;
  readonly finishedAt: Instant | null;
  /** Why nothing is sent although something is due; null if nothing waits. */
  readonly blocked: string | null;
  /** A person has paused it, or it paused itself: it waits to be resumed. */
  readonly paused: boolean;
  /**
   * What the author of the letter probably did not intend; it is sent all the same. Missing if there is nothing to
   * warn about.
   */
  readonly warnings?: readonly string[];
  /**
   * How much of today's share of the workspace's warm-up is left; missing if nothing is owed, or nothing is limited
   * today.
   */
  readonly warmUp?: { readonly limit: number; readonly left: number };
};

type Waiting = {
  readonly id: string;
  readonly held: boolean;
  readonly paused: string | null;
  readonly blocked: string | null;
  readonly warnings: readonly string[];
  readonly ramp?: { readonly limit: number; readonly used: number } | null;
};

/**
 * The report of docs/decisions.md "Campaigns and sending", which names its members; `warnings` and `warmUp` are added,
 * and `paused` for who asks.
 * `progress` is null before the send's plan is complete: then every number is 0.
 */
export function campaignReport(campaign: Waiting, progress: Progress | null): CampaignReport {
  const warned = campaign.warnings.length > 0 ? { warnings: campaign.warnings } : {};
  const blocked = campaign.held ? heldReason(campaign.id) : (campaign.paused ?? campaign.blocked);
  const paused = campaign.paused !== null;
  if (progress === null) return { ...NOTHING_YET, blocked, paused, ...warned };
  const { planned, sent, failed, uncertain, remaining, skipped } = progress;
  const { opened, clicked, bounced, unsubscribed, startedAt, finishedAt } = progress;
  const { machineOpened, machineClicked, suspected } = progress;
  const counts = {
    planned,
    sent,
    failed,
    uncertain,
    remaining,
    skipped,
    opened,
    clicked,
    bounced,
    unsubscribed,
    machine: { opened: machineOpened, clicked: machineClicked, suspected },
  };
  const { ramp = null } = campaign;
  const warmsUp =
    ramp === null ? {} : { warmUp: { limit: ramp.limit, left: Math.max(0, ramp.limit - ramp.used) } };
  return { ...counts, startedAt, finishedAt, blocked, paused, ...warned, ...warmsUp };
}

const NOTHING_YET: Omit<CampaignReport, "blocked" | "paused" | "warnings" | "warmUp"> = {
  planned: 0,
  sent: 0,
  failed: 0,
  uncertain: 0,
  remaining: 0,
  skipped: {},
  opened: 0,
  clicked: 0,
  bounced: 0,
  unsubscribed: 0,
  machine: { opened: 0, clicked: 0, suspected: 0 },
  startedAt: null,
  finishedAt: null,
};

function heldReason(id: string): string {
  return (
    "It is held: the database was restored or copied, or its time passed more than 24 hours ago, so it may have been " +
    `sent before. Look, then let it go with \`postrider campaign release ${id}\`.`
  );
}

/** A row's state as the API names it. A message whose dot may be on its way is SENDING. */
export const shownState = (state: DeliveryState): string =>
  state === "dot" ? "SENDING" : state.toUpperCase();

export const SHOWN_STATES: readonly string[] = DELIVERY_STATES.map(shownState);

/** The state that a `state` filter means; null if there is no such state. */
export function stateShownAs(text: string): DeliveryState | null {
  return DELIVERY_STATES.find((state) => shownState(state) === text) ?? null;
}
