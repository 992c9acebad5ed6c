import type { BounceStore } from "#bounces/store.ts";
import { UNREAD_LIMITS, type UnreadMail, type UnreadMailEntry } from "#bounces/unread.ts";
import { pageOf } from "#core/request/page.ts";
import { present } from "#core/present.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";

type Unread = Pick<
  BounceStore,
  "keep" | "unread" | "unreadPage" | "findUnread" | "readUnread" | "removeUnread"
>;

/** An entry of the table u, with the workspace w. */
const ENTRY = `SELECT u.seq AS number, w.id AS workspace_id, u.way, u.sender AS "from", u.subject, u.size_bytes,
  u.received_at`;
/** Mails are stored one after the other: at the same time, none would count the others against the limits. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('unread mails', 0))";
const ADD = `INSERT INTO unread_mails (workspace, digest, way, sender, subject, size_bytes, raw, received_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`;
const LIST = `${ENTRY} FROM unread_mails AS u LEFT JOIN workspaces AS w ON w.seq = u.workspace
  WHERE $1::int8 IS NULL OR u.workspace = $1 ORDER BY u.seq DESC`;
const PAGE = `${ENTRY} FROM unread_mails AS u JOIN workspaces AS w ON w.seq = u.workspace
  WHERE u.workspace = $1 AND ($2::int8 IS NULL OR u.seq < $2) ORDER BY u.seq DESC LIMIT $3`;
const COUNT = "SELECT count(*) AS n FROM unread_mails WHERE workspace = $1";
const FIND = `${ENTRY}, u.raw FROM unread_mails AS u JOIN workspaces AS w ON w.seq = u.workspace
  WHERE u.seq = $1 AND u.workspace = $2`;
const READ = "SELECT raw FROM unread_mails WHERE seq = $1";
const REMOVE = "DELETE FROM unread_mails WHERE seq = $1 AND ($2::int8 IS NULL OR workspace = $2)";
/**
 * Old mails, and those beyond the limits, added up from the newest on. Skips mails that another transaction is
 * removing.
 */
const REMOVE_SOME = `DELETE FROM unread_mails WHERE seq = ANY(ARRAY(
  SELECT seq FROM unread_mails WHERE received_at < $1 OR seq IN (
    SELECT seq FROM (SELECT seq, row_number() OVER newest AS n, sum(size_bytes) OVER newest AS bytes
                     FROM unread_mails WHERE received_at >= $1 WINDOW newest AS (ORDER BY seq DESC)) AS counted
    WHERE n > $2 OR bytes > $3)
  FOR UPDATE SKIP LOCKED))`;

/** Mails that could not be read. */
export function unreadMails({ read, write, seqOf }: PostgresDatabase): Unread {
  const seqOrNull = async (workspaceId: string | null): Promise<number | null> =>
    workspaceId === null ? null : await seqOf(workspaceId);

  return {
    async keep({ workspaceId, way, from, subject, raw, receivedAt }) {
      const workspace = await seqOrNull(workspaceId);
      const digest = new Bun.CryptoHasher("sha256").update(raw).digest();
      return await write(async (tx) => {
        await tx.rows(LOCK);
        const added = await tx.run(ADD, [workspace, digest, way, from, subject, raw.length, raw, receivedAt]);
        const { ageMs, count, bytes } = UNREAD_LIMITS;
        await tx.run(REMOVE_SOME, [receivedAt - ageMs, count, bytes]);
        return added > 0;
      });
    },

    async unread(workspaceId) {
      const workspace = await seqOrNull(workspaceId);
      return await read(({ rows }) => rows<UnreadMailEntry>(LIST, [workspace]));
    },

    async unreadPage(workspaceId, { limit, before }) {
      const workspace = await seqOf(workspaceId);
      const [found, counted] = await read(({ rows, row }) =>
        Promise.all([
          rows<UnreadMailEntry>(PAGE, [workspace, before, limit + 1]),
          row<{ n: number }>(COUNT, [workspace]),
        ]),
      );
      return pageOf(found, present(counted, "count of mails").n, limit, {
        position: ({ number }) => number,
        item: (entry) => entry,
      });
    },

    async findUnread(workspaceId, number) {
      const workspace = await seqOf(workspaceId);
      return await read(({ row }) =>
        row<UnreadMailEntry & Pick<UnreadMail, "raw">>(FIND, [number, workspace]),
      );
    },

    async readUnread(number) {
      const found = await read(({ row }) => row<Pick<UnreadMail, "raw">>(READ, [number]));
      return found?.raw ?? null;
    },

    async removeUnread(number, workspaceId) {
      const workspace = await seqOrNull(workspaceId);
      return (await write((tx) => tx.run(REMOVE, [number, workspace]))) > 0;
    },
  };
}
