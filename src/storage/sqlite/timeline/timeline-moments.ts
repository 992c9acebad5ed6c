import type { Database } from "bun:sqlite";
import type { MomentRows } from "#storage/common/timeline/moments.ts";
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

export function momentRows(sqlite: Database): MomentRows {
  const consent = sqlite.query<ConsentRow, [number]>(
    `SELECT address AS email, action, source, form_id AS formId, client_address AS clientAddress,
       user_agent AS userAgent, reason, list_id AS listId FROM consent_log WHERE seq = ?`,
  );
  const suppression = sqlite.query<Row<typeof suppressions, "reason" | "source">, [number, string]>(
    "SELECT reason, source FROM suppressions WHERE workspace = ? AND address = ?",
  );
  const list = sqlite.query<ListRow, [number]>("SELECT id AS listId, name FROM lists WHERE seq = ?");
  const leftList = sqlite.query<ListRow, [number]>(
    `SELECT l.id AS listId, l.name FROM list_departures AS d CROSS JOIN lists AS l ON l.seq = d.list
     WHERE d.seq = ?`,
  );
  const message = sqlite.query<MessageRow, [number]>(
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
  const report = sqlite.query<ReportRow, [number]>(
    "SELECT delivery, kind, reason, status, words, way FROM bounce_reports WHERE seq = ?",
  );
  const run = sqlite.query<RunRow, [number]>(
    `SELECT e.id AS enrollmentId, e.status, e.error_message AS error, a.id AS automationId, a.name
     FROM enrollments AS e CROSS JOIN automations AS a ON a.seq = e.automation WHERE e.seq = ?`,
  );
  return {
    consent: (key) => consent.get(key),
    suppression: ({ workspace, email }) => suppression.get(workspace, email),
    list: (key) => list.get(key),
    leftList: (key) => leftList.get(key),
    message: (key) => message.get(key),
    report: (key) => report.get(key),
    run: (key) => run.get(key),
  };
}
