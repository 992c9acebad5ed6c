import { isoOf } from "#core/time/iso.ts";
import { csvHeader, csvLine } from "#contacts/spreadsheet-cell.ts";
import { replyLine } from "#core/smtp-reply.ts";
import type { DeliveryRecord } from "#deliveries/delivery-record.ts";
import { shownState } from "./report.ts";

/** The header of a campaign's recipients as a CSV. */
export const DELIVERY_HEADER = csvHeader([
  "email",
  "state",
  "reason",
  "detail",
  "smtpReply",
  "attempts",
  "sentAt",
  "contactId",
]);

/** Cells that a spreadsheet would run as a formula are escaped: an address or a relay's reply can begin like one. */
export const deliveryLine = (delivery: DeliveryRecord): string => {
  const { email, state, reason, detail, reply, attempts, sentAt, contactId } = delivery;
  return csvLine([
    email,
    shownState(state),
    reason ?? "",
    detail ?? "",
    reply === null ? "" : replyLine(reply),
    String(attempts),
    sentAt === null ? "" : isoOf(sentAt),
    contactId ?? "",
  ]);
};
