import { parseEmailAddress } from "#core/addresses/email-address.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import type { DeliveryFilter } from "#deliveries/delivery-record.ts";
import { CAMPAIGN_STATUSES, type CampaignStatus } from "./campaign.ts";
import { SHOWN_STATES, stateShownAs } from "#campaigns/report/report.ts";

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

/**
 * Reads `state`, `reason` and `email` of GET /campaigns/{id}/deliveries; an empty value means no filter. An invalid
 * `email` is refused: it would match nobody, and look as if nothing had been sent there.
 */
export function parseDeliveryFilter(query: Query): Result<DeliveryFilter> {
  const state = query.state ? stateShownAs(query.state) : null;
  if (query.state && !state) return invalid(`\`state\` must be one of ${SHOWN_STATES.join(", ")}.`);
  const reason = query.reason || null;
  if (!query.email) return accept({ state, reason, email: null });
  const email = parseEmailAddress(query.email);
  return email.ok ? accept({ state, reason, email: email.value }) : email;
}
