import type { Database } from "bun:sqlite";
import type { Moment, SentMail } from "#timeline/moment.ts";
import { mailOf, messageMoment, runMoment } from "#storage/common/timeline/moments.ts";
import { momentBase, type Mark, type MomentBase, type Person } from "#storage/common/timeline/timeline.ts";
import type { OuterRow, Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  automationMailings,
  automations,
  bounceReports,
  campaigns,
  confirmations,
  consentLog,
  deliveries,
  enrollments,
  forms,
  lists,
  mailings,
  suppressions,
} from "#storage/sqlite/schema/schema.ts";

type ConsentRow = Row<
  typeof consentLog,
  "action" | "source" | "formId" | "clientAddress" | "userAgent" | "reason" | "listId"
> & { email: Value<typeof consentLog, "address"> };
type ListRow = { listId: Value<typeof lists, "id"> } & Row<typeof lists, "name">;
type ReportRow = Row<typeof bounceReports, "delivery" | "kind" | "reason" | "status" | "words" | "way">;
type MessageRow = Row<
  typeof deliveries,
  "state" | "reason" | "replyCode" | "replyEnhanced" | "replyText" | "bouncedAt"
> &
  Row<typeof mailings, "kind" | "sourceId"> &
  OuterRow<typeof automationMailings, "node"> &
  OuterRow<typeof confirmations, "formId"> & {
    campaignName: Value<typeof campaigns, "name"> | null;
    automationId: Value<typeof automations, "id"> | null;
    automationName: Value<typeof automations, "name"> | null;
    formName: Value<typeof forms, "name"> | null;
  };
type RunRow = Row<typeof enrollments, "status"> & {
  enrollmentId: Value<typeof enrollments, "id">;
  automationId: Value<typeof automations, "id">;
  error: Value<typeof enrollments, "errorMessage">;
} & Row<typeof automations, "name">;

/** Reads the moment at a mark; null if it has been deleted since the mark was read. */
export function momentReader(sqlite: Database): (person: Person, mark: Mark) => Moment | null {
  const list = listMoments(sqlite);
  const message = messageMoments(sqlite);
  const report = sqlite.query<ReportRow, [number]>(
    "SELECT delivery, kind, reason, status, words, way FROM bounce_reports WHERE seq = ?",
  );
  const run = runMoments(sqlite);
  const consent = sqlite.query<ConsentRow, [number]>(
    `SELECT address AS email, action, source, form_id AS formId, client_address AS clientAddress,
       user_agent AS userAgent, reason, list_id AS listId FROM consent_log WHERE seq = ?`,
  );
  const suppression = sqlite.query<Row<typeof suppressions, "reason" | "source">, [number, string]>(
    "SELECT reason, source FROM suppressions WHERE workspace = ? AND address = ?",
  );

  return (person, mark) => {
    const base = momentBase(mark);
    switch (mark.source) {
      case "consent": {
        const row = consent.get(mark.key);
        return row && { ...base, kind: "consent", ...row };
      }
      case "suppression": {
        const row = suppression.get(person.workspace, person.email);
        return row && { ...base, kind: "suppression", email: person.email, ...row };
      }
      case "joined":
      case "joinedBefore":
      case "left":
        return list(mark, base);
      case "delivery":
      case "opened":
      case "clicked":
        return message(mark, base);
      case "report": {
        const row = report.get(mark.key);
        const mail = row && message.mailOf(row.delivery);
        if (row === null || mail === null) return null;
        const { delivery: _, reason, ...told } = row;
        return { ...base, kind: "bounce", mail, reason, reply: null, report: told };
      }
      case "entered":
      case "ended":
        return run(mark, base);
      case "event":
        throw new Error("events are read from their own log");
    }
  };
}

function listMoments(sqlite: Database) {
  const member = sqlite.query<ListRow, [number]>("SELECT id AS listId, name FROM lists WHERE seq = ?");
  const departed = sqlite.query<ListRow, [number]>(
    `SELECT l.id AS listId, l.name FROM list_departures AS d CROSS JOIN lists AS l ON l.seq = d.list
     WHERE d.seq = ?`,
  );
  return ({ source, key }: Mark, base: MomentBase): Moment | null => {
    const row = (source === "joined" ? member : departed).get(key);
    return row && { ...base, kind: "list", action: source === "left" ? "LEFT" : "JOINED", ...row };
  };
}

function messageMoments(sqlite: Database) {
  const find = sqlite.query<MessageRow, [number]>(
    `SELECT d.state, d.reason, d.bounced_at AS bouncedAt, d.reply_code AS replyCode, d.reply_enhanced AS replyEnhanced,
       d.reply_text AS replyText, m.kind, m.source_id AS sourceId, c.name AS campaignName, n.node,
       a.id AS automationId, a.name AS automationName, k.form_id AS formId, f.name AS formName
     FROM deliveries AS d CROSS JOIN mailings AS m ON m.seq = d.mailing
     LEFT JOIN campaigns AS c ON m.kind = 'campaign' AND c.id = m.source_id
     LEFT JOIN automation_mailings AS n ON n.mailing = m.seq
     LEFT JOIN automations AS a ON a.seq = n.automation AND a.status <> 'DELETED'
     LEFT JOIN confirmations AS k ON k.delivery = d.seq
     LEFT JOIN forms AS f ON f.id = k.form_id
     WHERE d.seq = ?`,
  );
  const momentOf = ({ source, key }: Mark, base: MomentBase): Moment | null => {
    const row = find.get(key);
    return row && messageMoment(source, base, row);
  };
  return Object.assign(momentOf, {
    mailOf(delivery: number): SentMail | null {
      const row = find.get(delivery);
      return row && mailOf(row);
    },
  });
}

function runMoments(sqlite: Database) {
  const find = sqlite.query<RunRow, [number]>(
    `SELECT e.id AS enrollmentId, e.status, e.error_message AS error, a.id AS automationId, a.name
     FROM enrollments AS e CROSS JOIN automations AS a ON a.seq = e.automation WHERE e.seq = ?`,
  );
  return ({ source, key }: Mark, base: MomentBase): Moment | null => {
    const row = find.get(key);
    return row && runMoment(source, base, row);
  };
}
