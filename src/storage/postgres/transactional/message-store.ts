import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import { messageOf } from "#storage/common/transactional/message-row.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { readableJson } from "#storage/postgres/engine/readable-json.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type {
  bounceReports,
  contacts,
  deliveries,
  mailings,
  messages,
} from "#storage/postgres/schema/schema.ts";
import type { MessageFilter } from "#transactional/message.ts";
import type { MessageStore } from "#transactional/store.ts";

type MessageRow = Row<typeof messages, "state"> &
  Row<
    typeof deliveries,
    "reason" | "replyCode" | "replyEnhanced" | "replyText" | "attempts" | "settledAt" | "bouncedAt"
  > &
  Row<typeof mailings, "createdAt"> & {
    number: Value<typeof messages, "delivery">;
    sendId: Value<typeof mailings, "sourceId">;
    email: Value<typeof messages, "address">;
    contactId: Value<typeof contacts, "id"> | null;
    from: string | null;
    tags: string[];
  };

const SHOWN = `SELECT x.delivery AS number, x.address AS email, x.state, m.source_id AS send_id, m.created_at,
    c.id AS contact_id, d.reason, d.reply_code, d.reply_enhanced, d.reply_text, d.attempts, d.settled_at, d.bounced_at,
    (SELECT ${readableJson("content")} #>> '{from,address}' FROM mailing_contents WHERE mailing = m.seq) AS "from",
    ARRAY(SELECT tag FROM mailing_tags WHERE mailing = m.seq ORDER BY tag) AS tags
  FROM messages AS x JOIN deliveries AS d ON d.seq = x.delivery JOIN mailings AS m ON m.seq = d.mailing
  LEFT JOIN contacts AS c ON c.seq = d.contact`;
const WANTED = `x.workspace = $1 AND ($2::text IS NULL OR x.address = $2) AND ($3::text IS NULL OR x.state = $3)`;
const PAGE = `${SHOWN} WHERE ${WANTED} AND x.delivery < $4 ORDER BY x.delivery DESC LIMIT $5`;
const ONE = `${SHOWN} WHERE x.workspace = $1 AND x.delivery = $2`;
/** One address has few messages, so they are counted. For all messages, and by state, there is a counter. */
const COUNT_OF_ADDRESS = `SELECT count(*) AS n FROM messages AS x WHERE ${WANTED}`;
const COUNT = `SELECT coalesce(sum(n), 0)::int8 AS n FROM record_counts
  WHERE workspace = $1 AND kind = 'message' AND ($2::text IS NULL OR status = $2)`;
const REPORTS = "SELECT at, kind, words FROM bounce_reports WHERE delivery = $1 ORDER BY seq";

export function messageStore({ read, seqOf }: PostgresDatabase): MessageStore {
  return {
    async page(workspaceId, filter, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const { email } = filter;
      const state = filter.state?.toLowerCase() ?? null;
      const [rows, total] = await read((session) =>
        Promise.all([
          session.rows<MessageRow>(PAGE, [
            workspace,
            email,
            state,
            before ?? Number.MAX_SAFE_INTEGER,
            limit + 1,
          ]),
          totalOf(session, workspace, { email, state }),
        ]),
      );
      return pageOf(rows, total, limit, { position: ({ number }) => number, item: messageOf });
    },

    async find(workspaceId, number) {
      const workspace = await seqOf(workspaceId);
      const row = await read((session) => session.row<MessageRow>(ONE, [workspace, number]));
      return row && messageOf(row);
    },

    reports: (number) =>
      read(({ rows }) => rows<Row<typeof bounceReports, "at" | "kind" | "words">>(REPORTS, [number])),
  };
}

async function totalOf(
  { row }: Session,
  workspace: number,
  { email, state }: { readonly email: MessageFilter["email"]; readonly state: string | null },
): Promise<number> {
  const counted =
    email === null
      ? await row<{ n: number }>(COUNT, [workspace, state])
      : await row<{ n: number }>(COUNT_OF_ADDRESS, [workspace, email, state]);
  return present(counted, "count of messages").n;
}
