/** What a timeline shows at a mark, from the rows behind it. */
import type { DeliveryState } from "#deliveries/ledger.ts";
import { thenSoon, type Soon } from "#core/time/soon.ts";
import type { Moment, SentMail } from "#timeline/moment.ts";
import { momentBase, type Mark, type MomentBase, type Person, type Source } from "./timeline.ts";

/** What a moment of this kind says, apart from its kind and place. */
type Told<Kind extends Moment["kind"]> = Omit<Extract<Moment, { kind: Kind }>, "kind" | "id" | "at">;

type ReportRow = NonNullable<Told<"bounce">["report"]> & {
  readonly delivery: number;
  readonly reason: string | null;
};

/** Reads the row with this number, or null if it was deleted since its mark was read. */
type ReadRow<Row> = (key: number) => Soon<Row | null>;

/** How an engine reads the rows behind marks. */
export type MomentRows = {
  readonly consent: ReadRow<Told<"consent">>;
  readonly suppression: (person: Person) => Soon<Pick<Told<"suppression">, "reason" | "source"> | null>;
  readonly list: ReadRow<Omit<Told<"list">, "action">>;
  /** The list of a departure, by the number of the departure. */
  readonly leftList: ReadRow<Omit<Told<"list">, "action">>;
  readonly message: ReadRow<MessageRow>;
  readonly report: ReadRow<ReportRow>;
  readonly run: ReadRow<RunRow>;
};

/** The moment at a mark; null if it has been deleted since the mark was read. */
export function momentAt(rows: MomentRows, person: Person, mark: Mark): Soon<Moment | null> {
  const { source, key } = mark;
  const base = momentBase(mark);
  switch (source) {
    case "consent":
      return thenSoon(rows.consent(key), (row) => row && { ...base, kind: "consent", ...row });
    case "suppression": {
      const { email } = person;
      return thenSoon(
        rows.suppression(person),
        (row) => row && { ...base, kind: "suppression", email, ...row },
      );
    }
    case "joined":
    case "joinedBefore":
    case "left": {
      const list = source === "joined" ? rows.list : rows.leftList;
      const action = source === "left" ? "LEFT" : "JOINED";
      return thenSoon(list(key), (row) => row && { ...base, kind: "list", action, ...row });
    }
    case "delivery":
    case "opened":
    case "clicked":
      return thenSoon(rows.message(key), (row) => row && messageMoment(source, base, row));
    case "report":
      return thenSoon(
        rows.report(key),
        (row) => row && thenSoon(rows.message(row.delivery), (of) => of && reportMoment(base, of, row)),
      );
    case "entered":
    case "ended":
      return thenSoon(rows.run(key), (row) => row && runMoment(source, base, row));
    case "event":
      throw new Error("events are read from their own log");
  }
}

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

function mailOf(row: MailRow): SentMail {
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
function messageMoment(source: Source, base: MomentBase, row: MessageRow): Moment | null {
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

function reportMoment(base: MomentBase, message: MailRow, row: ReportRow): Moment {
  const { delivery: _, reason, ...report } = row;
  return { ...base, kind: "bounce", mail: mailOf(message), reason, reply: null, report };
}

type RunRow = {
  readonly enrollmentId: string;
  readonly automationId: string;
  readonly name: string;
  readonly status: string;
  readonly error: string | null;
};

function runMoment(
  source: Source,
  base: MomentBase,
  { enrollmentId, automationId, name, status, error }: RunRow,
): Moment {
  const about = { ...base, kind: "enrollment", enrollmentId, automationId, name } as const;
  if (source === "entered") return { ...about, action: "ENTERED", error: null };
  return { ...about, action: status === "FAILED" ? "FAILED" : "COMPLETED", error };
}
