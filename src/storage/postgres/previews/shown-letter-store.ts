import { withLetter, type Sized } from "#previews/letter-shelf.ts";
import type { LetterStore } from "#previews/store.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { shownLetters } from "#storage/postgres/schema/schema.ts";

type SizedRow = Row<typeof shownLetters, "token"> & Sized;

const SIZES = `SELECT token, workspace_id, octet_length(html) AS bytes FROM shown_letters WHERE token <> $1
  ORDER BY expires_at, token`;
const INSERT = "INSERT INTO shown_letters (token, workspace_id, html, expires_at) VALUES ($1, $2, $3, $4)";
/** Skips what another transaction is removing. */
const REMOVE = `DELETE FROM shown_letters WHERE token = ANY(ARRAY(
  SELECT token FROM shown_letters WHERE token = ANY($1::text[]) FOR UPDATE SKIP LOCKED))`;
const FORGET = `DELETE FROM shown_letters WHERE token = ANY(ARRAY(
  SELECT token FROM shown_letters WHERE expires_at <= $1 FOR UPDATE SKIP LOCKED))`;
const HTML = "SELECT html FROM shown_letters WHERE token = $1 AND expires_at > $2";

/** Letters that can be previewed on any node. They do not survive a crash of PostgreSQL. */
export const shownLetterStore = ({ read, write }: PostgresDatabase): LetterStore => ({
  keep: ({ token, workspaceId, html, expiresAt }, now) =>
    write(async (tx) => {
      await tx.run(FORGET, [now]);
      const kept = await tx.rows<SizedRow>(SIZES, [token]);
      await tx.run(INSERT, [token, workspaceId, html, expiresAt]);
      const added = { token, workspaceId, bytes: html.length };
      const staying = new Set(withLetter(kept, added).map((letter) => letter.token));
      const leaving = kept.flatMap((letter) => (staying.has(letter.token) ? [] : [letter.token]));
      if (leaving.length > 0) await tx.run(REMOVE, [leaving]);
    }),

  find: async (token, now) =>
    (await read(({ row }) => row<Row<typeof shownLetters, "html">>(HTML, [token, now])))?.html ?? null,

  forget: (now) => write(async (tx) => void (await tx.run(FORGET, [now]))),
});
