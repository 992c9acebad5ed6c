import { unwrap } from "#core/errors/errors.ts";
import { replyLine } from "#core/smtp-reply.ts";
import { isoOrNull } from "#core/time/iso.ts";
import { pageOf } from "#http/envelope.ts";
import { route, type Route } from "#http/routes/route.ts";
import { streamOf } from "#http/body/text-stream.ts";
import { deliveriesCsv, deliveryFilters, deliveryQuery, deliverySchema } from "./delivery-schema.ts";
import { parseDeliveryFilter } from "#campaigns/filter.ts";
import { FOREIGN_DELIVERY_FILTERS } from "#campaigns/foreign-names.ts";
import { shownState } from "./report.ts";
import type { CampaignService } from "#campaigns/service.ts";
import type { DeliveryRecord } from "#deliveries/delivery-record.ts";

/** /campaigns/{id}/deliveries (docs/contract.md "What became of a campaign"). */
export const deliveryRoutes = (campaigns: CampaignService): Route[] => [
  route({
    method: "GET",
    path: "/campaigns/:id/deliveries",
    summary: "List a campaign's recipients and what became of them",
    description:
      "Every SUBSCRIBED contact of its audience from the plan on, also who was skipped and why. Newest first.",
    query: deliveryQuery,
    foreign: { query: FOREIGN_DELIVERY_FILTERS },
    answers: { 200: pageOf(deliverySchema) },
    handle: async (call) => {
      const readFilter = () => ({
        filter: unwrap(parseDeliveryFilter(call.query)),
        page: call.pageRequest(),
      });
      return call.page(
        await campaigns.deliveries(call.workspaceId, call.params.id, readFilter),
        wireDelivery,
      );
    },
  }),
];

const CSV = "text/csv";

/** The same list as a CSV file. */
export const deliveryExportRoutes = (campaigns: CampaignService): Route[] => [
  route({
    method: "GET",
    path: "/exports/campaigns/:id/deliveries",
    operationId: "getDeliveriesExport",
    summary: "Export a campaign's recipients and what became of them",
    description: "Newest first, with the filters of the list, as a file that is sent while it is read.",
    query: deliveryFilters,
    foreign: { query: FOREIGN_DELIVERY_FILTERS },
    answers: { 200: null },
    content: { [CSV]: deliveriesCsv },
    says: { 200: "The recipients." },
    errors: { VALIDATION_ERROR: "A filter is not acceptable." },
    handle: async (call) => {
      const readFilter = () => unwrap(parseDeliveryFilter(call.query));
      const texts = await campaigns.deliveriesCsv(call.workspaceId, call.params.id, readFilter);
      return {
        status: 200,
        stream: streamOf(texts),
        headers: {
          "Content-Type": `${CSV}; charset=utf-8`,
          "Content-Disposition": 'attachment; filename="deliveries.csv"',
        },
      };
    },
  }),
];

const wireDelivery = ({
  contactId,
  email,
  state,
  reason,
  detail,
  reply,
  attempts,
  sentAt,
}: DeliveryRecord) => ({
  contactId,
  email,
  state: shownState(state),
  reason,
  ...(detail === null ? {} : { detail }),
  smtpReply: reply && replyLine(reply),
  attempts,
  sentAt: isoOrNull(sentAt),
});
