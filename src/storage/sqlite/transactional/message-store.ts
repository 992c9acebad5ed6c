import type { Database } from "bun:sqlite";
import { pageOf, type PageRequest } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { Message, MessageFilter } from "#transactional/message.ts";
import { messageOf } from "#storage/common/transactional/message-row.ts";
import type { MessageStore } from "#transactional/store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type {
  bounceReports,
  contacts,
  deliveries,
  mailings,
  messages,
} from "#storage/sqlite/schema/schema.ts";

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
    /** JSON. */
    tags: string;
  };

const shownBy = (
  index: string,
): string => `SELECT x.delivery AS number, x.address AS email, x.state, m.source_id AS sendId, m.created_at AS createdAt,
    c.id AS contactId, d.reason, d.reply_code AS replyCode, d.reply_enhanced AS replyEnhanced, d.reply_text AS replyText,
    d.attempts, d.settled_at AS settledAt, d.bounced_at AS bouncedAt,
    (SELECT json_extract(content, '$.from.address') FROM mailing_contents WHERE mailing = m.seq) AS "from",
    (SELECT json_group_array(tag) FROM mailing_tags WHERE mailing = m.seq) AS tags
  FROM messages AS x ${index} CROSS JOIN deliveries AS d ON d.seq = x.delivery CROSS JOIN mailings AS m ON m.seq = d.mailing
  LEFT JOIN contacts AS c ON c.seq = d.contact`;

/** SQLite would look through all messages of the workspace for those of a rare state: what is shown is not in this index. */
const BY_STATE = "INDEXED BY messages_by_state";

export function messageStore({ sqlite }: SqliteDatabase, seqOf: WorkspaceSeq): MessageStore {
  const find = sqlite.query<MessageRow, [number, number]>(
    `${shownBy("")} WHERE x.workspace = ? AND x.delivery = ?`,
  );
  const reports = sqlite.query<Row<typeof bounceReports, "at" | "kind" | "words">, [number]>(
    "SELECT at, kind, words FROM bounce_reports WHERE delivery = ?",
  );
  const totalOf = totals(sqlite);

  return {
    async page(workspaceId, filter, { limit, before }: PageRequest) {
      const values = valuesOf(seqOf(workspaceId), filter);
      const index = filter.state !== null && filter.email === null ? BY_STATE : "";
      const rows = sqlite
        .query<MessageRow, [Values]>(
          `${shownBy(index)} WHERE ${wantedOf(filter)} AND x.delivery < $before ORDER BY x.delivery DESC LIMIT $rows`,
        )
        .all({ ...values, before: before ?? Number.MAX_SAFE_INTEGER, rows: limit + 1 });
      return pageOf(rows, totalOf(filter, values), limit, {
        position: ({ number }) => number,
        item: messageOfRow,
      });
    },
    find: async (workspaceId, number) => {
      const row = find.get(seqOf(workspaceId), number);
      return row && messageOfRow(row);
    },
    reports: async (number) => reports.all(number),
  };
}

type Values = Readonly<Record<string, string | number>>;

const wantedOf = ({ email, state }: MessageFilter): string =>
  [
    "x.workspace = $workspace",
    ...(email === null ? [] : ["x.address = $email"]),
    ...(state === null ? [] : ["x.state = $state"]),
  ].join(" AND ");

const valuesOf = (workspace: number, { email, state }: MessageFilter): Values => ({
  workspace,
  ...(email === null ? {} : { email }),
  ...(state === null ? {} : { state: state.toLowerCase() }),
});

/** One address has few messages, so they are counted. For all messages, and by state, there is a counter. */
function totals(sqlite: Database): (filter: MessageFilter, values: Values) => number {
  const counted = (isOfState: boolean): string =>
    `SELECT coalesce(sum(n), 0) AS n FROM record_counts
     WHERE workspace = $workspace AND kind = 'message'${isOfState ? " AND status = $state" : ""}`;
  return (filter, values) => {
    const sql =
      filter.email === null
        ? counted(filter.state !== null)
        : `SELECT count(*) AS n FROM messages AS x WHERE ${wantedOf(filter)}`;
    return present(sqlite.query<{ n: number }, [Values]>(sql).get(values), "count of messages").n;
  };
}

const messageOfRow = ({ tags, ...row }: MessageRow): Message =>
  messageOf({ ...row, tags: JSON.parse(tags) as string[] });
