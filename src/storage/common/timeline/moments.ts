/** What a timeline shows about messages and runs, from their rows. */
import type { DeliveryState } from "#deliveries/ledger.ts";
import type { Moment, SentMail } from "#timeline/moment.ts";
import type { MomentBase, Source } from "./timeline.ts";

type MailRow = {
  readonly kind: SentMail["kind"];
  readonly sourceId: string;
  readonly campaignName: string | null;
  readonly node: string | null;
  readonly automationId: string | null;
  readonly automationName: string | null;
  readonly formId: string | null;
  readonly formName: string | null;
};

type MessageRow = MailRow & {
  readonly state: DeliveryState;
  readonly reason: string | null;
  readonly replyCode: number | null;
  readonly replyEnhanced: string | null;
  readonly replyText: string | null;
  readonly bouncedAt: number | null;
};

export function mailOf(row: MailRow): SentMail {
  const { kind, sourceId } = row;
  switch (kind) {
    case "campaign":
      return { kind, campaignId: sourceId, name: row.campaignName };
    case "automation":
      return { kind, automationId: row.automationId, nodeId: row.node, name: row.automationName };
    case "transactional":
      return { kind, sendId: sourceId };
    case "confirmation":
      return { kind, formId: row.formId, name: row.formName };
  }
}

/** Null: nothing has happened to the message yet. */
export function messageMoment(source: Source, base: MomentBase, row: MessageRow): Moment | null {
  const mail = mailOf(row);
  if (source === "opened" || source === "clicked") return { ...base, kind: source, mail };
  const { state, reason, replyCode: code, replyEnhanced: enhanced, replyText } = row;
  const reply = code === null ? null : { code, enhanced, text: replyText ?? "" };
  if (state === "queued" || state === "dot") return null;
  // The message was sent then: its bounce is the report that came later.
  if (row.bouncedAt !== null)
    return { ...base, kind: "delivery", mail, state: "sent", reason: null, reply: null };
  if (state === "bounced") return { ...base, kind: "bounce", mail, reason, reply, report: null };
  return { ...base, kind: "delivery", mail, state, reason, reply };
}

type RunRow = {
  readonly enrollmentId: string;
  readonly automationId: string;
  readonly name: string;
  readonly status: string;
  readonly error: string | null;
};

export function runMoment(
  source: Source,
  base: MomentBase,
  { enrollmentId, automationId, name, status, error }: RunRow,
): Moment {
  const about = { ...base, kind: "enrollment", enrollmentId, automationId, name } as const;
  if (source === "entered") return { ...about, action: "ENTERED", error: null };
  return { ...about, action: status === "FAILED" ? "FAILED" : "COMPLETED", error };
}
