import { Fenced } from "#core/errors/fenced.ts";
import { present } from "#core/present.ts";
import { storableText } from "#core/text/stored-text.ts";
import { StorageError } from "#core/errors/storage-error.ts";
import { messagesToKeep, type Kept } from "#imports/import.ts";
import type { ImportBatch, ImportPerson, ImportRules, ImportStore } from "#imports/store.ts";
import { batchKept } from "#storage/common/imports/import-batch.ts";
import { writeContacts } from "#storage/postgres/contacts/contact-batch.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { holdLists } from "#storage/postgres/lists/hold-lists.ts";
import { joinUnlessLeft } from "#storage/postgres/lists/list-members.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { imports } from "#storage/postgres/schema/schema.ts";

const HOLD = `SELECT seq, node FROM imports WHERE workspace = $1 AND id = $2 AND state = 'RUNNING' FOR NO KEY UPDATE`;
const ADVANCE = `UPDATE imports SET rows = rows + $2, created = created + $3, updated = updated + $4,
  skipped = skipped + $5, failed = failed + $6, lines_done = coalesce($7, lines_done) WHERE seq = $1`;
const FINISH = "UPDATE imports SET state = 'DONE', finished_at = $2 WHERE seq = $1";
const COUNT_MESSAGES = "SELECT count(*) AS n FROM import_messages WHERE import = $1";
const ADD_MESSAGES = `INSERT INTO import_messages (import, line, message)
  SELECT $1, line, message FROM unnest($2::int8[], $3::text[]) WITH ORDINALITY AS m (line, message, n) ORDER BY n`;

/** `ImportStore.keep`. */
export function importKeeping({ write, seqOf }: PostgresDatabase, own: OwnNode): ImportStore["keep"] {
  return async (workspaceId, id, batch, rules) => {
    const workspace = await seqOf(workspaceId);
    return await write(async (tx) => {
      const one = id === null ? null : await hold(tx, workspace, id, own);
      if (id !== null && one === null) return null;
      const kept = await writePeople(tx, workspace, batch, rules);
      if (one !== null) await record(tx, one, batch, kept);
      return kept;
    });
  };
}

/**
 * The row of an import that is RUNNING.
 * @throws StorageError if another node continues it: this node must not touch its rows or its file any more
 */
async function hold(tx: Session, workspace: number, id: string, own: OwnNode): Promise<number | null> {
  const one = await tx.row<Row<typeof imports, "seq" | "node">>(HOLD, [workspace, id]);
  if (one === null) return null;
  if (one.node !== null && one.node !== own.number) throw new StorageError("locked", new Fenced());
  return one.seq;
}

/** Writes the people and puts them on the lists. */
async function writePeople(
  tx: Session,
  workspace: number,
  batch: ImportBatch,
  rules: ImportRules,
): Promise<Kept> {
  const lists = await holdLists(tx, workspace, batch.listIds);
  const written = await writeContacts<ImportPerson>(tx, workspace, batch.people, rules.decide);
  const { kept, joining } = batchKept(batch, written, rules);
  for (const list of lists.values()) await joinUnlessLeft(tx, list, joining, batch.at);
  return kept;
}

/** Records how far an import is, and the messages about its rows. */
async function record(tx: Session, one: number, batch: ImportBatch, kept: Kept): Promise<void> {
  const { rows, created, updated, skipped, failed } = kept.counts;
  await tx.run(ADVANCE, [one, rows, created, updated, skipped, failed, batch.linesDone]);
  if (kept.messages.length > 0) {
    const { n } = present(await tx.row<{ n: number }>(COUNT_MESSAGES, [one]), "count of messages");
    const messages = messagesToKeep(kept, n);
    await tx.run(ADD_MESSAGES, [
      one,
      messages.map(({ line }) => line),
      messages.map(({ message }) => storableText(message)),
    ]);
  }
  if (batch.isLast) await tx.run(FINISH, [one, batch.at]);
}
