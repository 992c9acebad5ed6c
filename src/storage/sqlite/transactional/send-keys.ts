import type { Database } from "bun:sqlite";
import type { SendAnswer } from "#transactional/answer.ts";
import { KEY_LIFE_MS, type KeptRequest, type KeyedRequest } from "#transactional/request/idempotency.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { sendKeys } from "#storage/sqlite/schema/schema.ts";

type KeyRow = Row<typeof sendKeys, "bodyHash" | "answer" | "createdAt">;

/** Removed with each new key: more than one, so that the table shrinks when less is sent. */
const FORGET_AT_ONCE = 10;

/** The idempotency keys as statements; writes run inside a transaction of the write queue. */
export function sendKeyWrites(sqlite: Database) {
  const find = sqlite.query<KeyRow, [number, string]>(
    "SELECT body_hash AS bodyHash, answer, created_at AS createdAt FROM send_keys WHERE workspace = ? AND key = ?",
  );
  const forgetOld = sqlite.query(
    `DELETE FROM send_keys WHERE (workspace, key) IN (
       SELECT workspace, key FROM send_keys WHERE created_at <= ? ORDER BY created_at LIMIT ${FORGET_AT_ONCE})`,
  );
  const insert = sqlite.query(
    `INSERT INTO send_keys (workspace, key, body_hash, created_at) VALUES ($workspace, $key, $bodyHash, $now)
     ON CONFLICT DO UPDATE SET body_hash = $bodyHash, answer = NULL, created_at = $now`,
  );
  const keep = sqlite.query(
    "UPDATE send_keys SET answer = ? WHERE workspace = ? AND key = ? AND created_at = ?",
  );
  const free = sqlite.query("DELETE FROM send_keys WHERE workspace = ? AND key = ? AND created_at = ?");

  return {
    find(workspace: number, key: string): KeptRequest | null {
      const row = find.get(workspace, key);
      return row && { ...row, answer: row.answer === null ? null : (JSON.parse(row.answer) as SendAnswer) };
    },
    /** Takes a key that is free or has expired. */
    take(workspace: number, { key, bodyHash }: KeyedRequest, now: number): void {
      forgetOld.run(now - KEY_LIFE_MS);
      insert.run({ workspace, key, bodyHash: Buffer.from(bodyHash), now });
    },
    /** @param takenAt `now` of `take`: another request may have the key since */
    keep(workspace: number, key: string, takenAt: number, answer: SendAnswer): void {
      keep.run(JSON.stringify(answer), workspace, key, takenAt);
    },
    free(workspace: number, key: string, takenAt: number): void {
      free.run(workspace, key, takenAt);
    },
  };
}
