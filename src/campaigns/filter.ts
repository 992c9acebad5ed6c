import { accept, invalid, type Result } from "#core/errors.ts";
import type { DeliveryState } from "#deliveries/ledger.ts";
import { CAMPAIGN_STATUSES, type CampaignStatus } from "./campaign.ts";
import { SHOWN_STATES, stateShownAs } from "./report.ts";

type Query = Readonly<Record<string, string | undefined>>;

/**
 * Reads `status` and `q` of GET /campaigns; an empty value means no filter (docs/decisions.md "Pagination").
 */
export function parseCampaignFilter(
  query: Query,
): Result<{ status: CampaignStatus | null; q: string | null }> {
  const q = query.q || null;
  if (!query.status) return accept({ status: null, q });
  const status = CAMPAIGN_STATUSES.find((known) => known === query.status);
  return status
    ? accept({ status, q })
    : invalid(`\`status\` must be one of ${CAMPAIGN_STATUSES.join(", ")}.`);
}

/** Reads `state` of GET /campaigns/{id}/deliveries; an empty value means no filter. */
export function parseDeliveryFilter(query: Query): Result<DeliveryState | null> {
  if (!query.state) return accept(null);
  const state = stateShownAs(query.state);
  return state ? accept(state) : invalid(`\`state\` must be one of ${SHOWN_STATES.join(", ")}.`);
}
