import type { Database } from "bun:sqlite";
import { messagesToKeep, type Kept } from "#imports/import.ts";
import type { ImportBatch, ImportPerson, ImportRules } from "#imports/store.ts";
import { batchKept } from "#storage/common/imports/import-batch.ts";
import { contactBatches } from "#storage/sqlite/contacts/contact-batch.ts";
import { present } from "#core/present.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import { listMembers } from "#storage/sqlite/lists/list-members.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { imports, lists } from "#storage/sqlite/schema/schema.ts";
import { searchIndex } from "#storage/sqlite/search/search-index.ts";

/** `ImportStore.keep` on an open transaction. It yields where people leave very many lists. */
export const importWrites = oncePerDatabase((sqlite) => {
  const running = sqlite.query<Row<typeof imports, "seq">, [number, string]>(
    "SELECT seq FROM imports WHERE workspace = ? AND id = ? AND state = 'RUNNING'",
  );
  const listSeq = sqlite.query<Row<typeof lists, "seq">, [number, string]>(
    "SELECT seq FROM lists WHERE workspace = ? AND id = ?",
  );
  const record = progressWrites(sqlite);
  const { addRows } = listMembers(sqlite);
  const writeAll = contactBatches(sqlite);
  const index = searchIndex(sqlite);

  /** Writes the people and puts them on the lists. */
  const writePeople = function* (
    workspace: number,
    batch: ImportBatch,
    rules: ImportRules,
  ): Generator<void, Kept, void> {
    const { people, listIds, at } = batch;
    const { kept, joining } = batchKept(
      batch,
      yield* writeAll<ImportPerson>(workspace, people, rules.decide),
      rules,
    );
    for (const listId of listIds) {
      const list = listSeq.get(workspace, listId);
      if (list !== null) addRows(list.seq, joining, at);
    }
    index.advance(2 * people.length);
    return kept;
  };

  return function* (
    workspace: number,
    id: string | null,
    batch: ImportBatch,
    rules: ImportRules,
  ): Generator<void, Kept | null, void> {
    const one = id === null ? null : running.get(workspace, id);
    if (id !== null && one === null) return null;
    const kept = yield* writePeople(workspace, batch, rules);
    if (one !== null) record(one.seq, batch, kept);
    return kept;
  };
});

/** Records how far an import is, and the messages about its rows. */
function progressWrites(sqlite: Database) {
  const advance = sqlite.query<null, (number | null)[]>(
    `UPDATE imports SET rows = rows + ?, created = created + ?, updated = updated + ?, skipped = skipped + ?,
       failed = failed + ?, lines_done = coalesce(?, lines_done) WHERE seq = ?`,
  );
  const finish = sqlite.query<null, [number, number]>(
    "UPDATE imports SET state = 'DONE', finished_at = ? WHERE seq = ?",
  );
  const countMessages = sqlite.query<{ n: number }, [number]>(
    "SELECT count(*) AS n FROM import_messages WHERE import = ?",
  );
  const addMessage = sqlite.query<null, [number, number, string]>(
    "INSERT INTO import_messages (import, line, message) VALUES (?, ?, ?)",
  );

  return (one: number, batch: ImportBatch, kept: Kept): void => {
    const { rows, created, updated, skipped, failed } = kept.counts;
    advance.run(rows, created, updated, skipped, failed, batch.linesDone, one);
    if (kept.messages.length > 0) {
      const { n } = present(countMessages.get(one), "count of messages");
      for (const { line, message } of messagesToKeep(kept, n)) addMessage.run(one, line, message);
    }
    if (batch.isLast) finish.run(batch.at, one);
  };
}
