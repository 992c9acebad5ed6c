import { ownId } from "#storage/postgres/lists/hidden-lists.ts";
import type { MomentRows } from "#storage/common/timeline/moments.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { OuterRow, Row, Value } from "#storage/postgres/schema/row.ts";
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
} from "#storage/postgres/schema/schema.ts";

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

const CONSENT = `SELECT address AS email, action, source, form_id, client_address, user_agent, reason, list_id
  FROM consent_log WHERE seq = $1`;
const SUPPRESSION = "SELECT reason, source FROM suppressions WHERE workspace = $1 AND address = $2";
const LIST = `SELECT ${ownId("id")} AS list_id, name FROM lists WHERE seq = $1`;
const LIST_OF_DEPARTURE = `SELECT ${ownId("l.id")} AS list_id, l.name FROM list_departures AS d JOIN lists AS l ON l.seq = d.list
  WHERE d.seq = $1`;
const REPORT = "SELECT delivery, kind, reason, status, words, way FROM bounce_reports WHERE seq = $1";
const MESSAGE = `SELECT d.state, d.reason, d.bounced_at, d.reply_code, d.reply_enhanced, d.reply_text, m.kind, m.source_id,
    c.name AS campaign_name, n.node, a.id AS automation_id, a.name AS automation_name, k.form_id, f.name AS form_name
  FROM deliveries AS d JOIN mailings AS m ON m.seq = d.mailing
  LEFT JOIN campaigns AS c ON m.kind = 'campaign' AND c.id = m.source_id
  LEFT JOIN automation_mailings AS n ON n.mailing = m.seq
  LEFT JOIN automations AS a ON a.seq = n.automation AND a.status <> 'DELETED'
  LEFT JOIN confirmations AS k ON k.delivery = d.seq
  LEFT JOIN forms AS f ON f.id = k.form_id
  WHERE d.seq = $1`;
const RUN = `SELECT e.id AS enrollment_id, e.status, e.error_message AS error, a.id AS automation_id, a.name
  FROM enrollments AS e JOIN automations AS a ON a.seq = e.automation WHERE e.seq = $1`;

export const momentRows = ({ row }: Session): MomentRows => ({
  consent: (key) => row<ConsentRow>(CONSENT, [key]),
  suppression: ({ workspace, email }) =>
    row<Row<typeof suppressions, "reason" | "source">>(SUPPRESSION, [workspace, email]),
  list: (key) => row<ListRow>(LIST, [key]),
  leftList: (key) => row<ListRow>(LIST_OF_DEPARTURE, [key]),
  message: (key) => row<MessageRow>(MESSAGE, [key]),
  report: (key) => row<ReportRow>(REPORT, [key]),
  run: (key) => row<RunRow>(RUN, [key]),
});
