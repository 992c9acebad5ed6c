import type { Database } from "bun:sqlite";
import { present } from "#core/present.ts";
import { laterSource, sourceRange, type SingleLetter } from "#storage/common/ledger/single-letter.ts";
import { oncePerDatabase } from "#storage/sqlite/engine/once-per-database.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { deliveries, mailings } from "#storage/sqlite/schema/schema.ts";

/** Messages that no plan writes, such as confirmations and the mail of automations, on an open transaction. */
export const singleMessages = oncePerDatabase((sqlite) => ({
  mailingOf: mailingsOfLetters(sqlite),
  queue: queueing(sqlite),
}));

function mailingsOfLetters(sqlite: Database) {
  const find = sqlite.query<Row<typeof mailings, "seq">, [string, string, string]>(
    `SELECT seq FROM mailings WHERE kind = ? AND source_id >= ? AND source_id < ? AND held = 0 AND phase = 'sending'
     ORDER BY source_id LIMIT 1`,
  );
  const isTaken = sqlite.query<unknown, [string, string]>(
    "SELECT 1 FROM mailings WHERE kind = ? AND source_id = ?",
  );
  const make = sqlite.query<Row<typeof mailings, "seq">, (string | number | null)[]>(
    `INSERT INTO mailings (workspace, kind, source_id, phase, reserved_month, created_at, started_at)
     VALUES (?1, ?2, ?3, 'sending', ?4, ?5, ?5) RETURNING seq`,
  );
  const addContent = sqlite.query<null, [number, string]>("INSERT INTO mailing_contents VALUES (?, ?)");

  /**
   * The mailing of a letter, which is made for the first message. One that has been held since a backup was restored
   * keeps only what was queued then, and later messages get a mailing of their own.
   */
  return (letter: SingleLetter): { seq: number; isNew: boolean } => {
    const { workspace, kind, sourceId, month, at } = letter;
    const known = find.get(kind, ...sourceRange(letter));
    if (known !== null) return { seq: known.seq, isNew: false };
    const source = isTaken.get(kind, sourceId) === null ? sourceId : laterSource(letter);
    const { seq } = present(make.get(workspace, kind, source, month, at), "mailing that was just made");
    addContent.run(seq, letter.content());
    return { seq, isNew: true };
  };
}

function queueing(sqlite: Database) {
  // An address may get several messages of a mailing.
  const add = sqlite.query<Row<typeof deliveries, "seq">, [number, number | null, string]>(
    `INSERT INTO deliveries (mailing, contact, address, visit, state)
     SELECT ?1, ?2, ?3, coalesce((SELECT max(visit) + 1 FROM deliveries WHERE mailing = ?1 AND address = ?3), 0), 'queued' RETURNING seq`,
  );
  const count = sqlite.query<null, [number]>(
    "UPDATE mailings SET planned = planned + 1, queued = queued + 1 WHERE seq = ?",
  );

  /** Queues one message, and returns its number. `contact` is null if there is no contact yet. */
  return (mailing: number, contact: number | null, address: string): number => {
    const { seq } = present(add.get(mailing, contact, address), "message that was just made");
    count.run(mailing);
    return seq;
  };
}
