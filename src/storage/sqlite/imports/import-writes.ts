import type { Database } from "bun:sqlite";
import { MESSAGES_KEPT, NO_COUNTS, type ImportCounts, type Kept, type RowMessage } from "#imports/import.ts";
import type { ImportBatch, ImportPerson, ImportRules } from "#imports/store.ts";
import { contactBatches } from "#storage/sqlite/contacts/contact-batch.ts";
import { present } from "#core/present.ts";
import { listMembers } from "#storage/sqlite/lists/list-members.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { imports, lists } from "#storage/sqlite/schema/schema.ts";
import { searchIndex } from "#storage/sqlite/search/search-index.ts";

/** `ImportStore.keep` on an open transaction. */
export function importWrites(sqlite: Database) {
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
  const writePeople = (workspace: number, batch: ImportBatch, rules: ImportRules): Kept => {
    const { people, listIds, at } = batch;
    const counts: Record<keyof ImportCounts, number> = {
      ...NO_COUNTS,
      rows: people.length + batch.unread,
      failed: batch.unread,
    };
    const messages: RowMessage[] = [...batch.messages];
    const joining: number[] = [];
    const written = writeAll<ImportPerson>(workspace, people, rules.decide);
    for (const [i, result] of written.entries()) {
      const person = present(people[i], "person of a result");
      if (!result.ok) {
        counts.failed++;
        messages.push({ line: person.line, message: result.refusal.message });
        continue;
      }
      const { outcome, joins } = rules.settle(person, result.value);
      counts[outcome]++;
      if (joins) joining.push(result.value.seq);
    }
    for (const listId of listIds) {
      const list = listSeq.get(workspace, listId);
      if (list !== null) addRows(list.seq, joining, at);
    }
    index.advance(2 * people.length);
    return { counts, messages: messages.toSorted((a, b) => a.line - b.line) };
  };

  return (workspace: number, id: string | null, batch: ImportBatch, rules: ImportRules): Kept | null => {
    const one = id === null ? null : running.get(workspace, id);
    if (id !== null && one === null) return null;
    const kept = writePeople(workspace, batch, rules);
    if (one !== null) record(one.seq, batch, kept);
    return kept;
  };
}

/** How far an import is, and what was said about its rows. */
function progressWrites(sqlite: Database) {
  const advance = sqlite.query<null, (number | null)[]>(
    `UPDATE imports SET rows = rows + ?, created = created + ?, updated = updated + ?, skipped = skipped + ?,
       failed = failed + ?, lines_done = coalesce(?, lines_done) WHERE seq = ?`,
  );
  const finish = sqlite.query<null, [number, number]>(
    "UPDATE imports SET state = 'DONE', finished_at = ? WHERE seq = ?",
  );
  const said = sqlite.query<{ n: number }, [number]>(
    "SELECT count(*) AS n FROM import_messages WHERE import = ?",
  );
  const say = sqlite.query<null, [number, number, string]>(
    "INSERT INTO import_messages (import, line, message) VALUES (?, ?, ?)",
  );

  return (one: number, batch: ImportBatch, { counts, messages }: Kept): void => {
    const { rows, created, updated, skipped, failed } = counts;
    advance.run(rows, created, updated, skipped, failed, batch.linesDone, one);
    if (messages.length > 0) {
      const room = Math.max(0, MESSAGES_KEPT - present(said.get(one), "count of messages").n);
      for (const { line, message } of messages.slice(0, room)) say.run(one, line, message);
    }
    if (batch.isLast) finish.run(batch.at, one);
  };
}
