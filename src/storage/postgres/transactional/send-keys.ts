/** The idempotency keys of requests, in an open transaction. */
import type { SendAnswer } from "#transactional/answer.ts";
import { KEY_LIFE_MS, type KeptRequest, type KeyedRequest } from "#transactional/request/idempotency.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { sendKeys } from "#storage/postgres/schema/schema.ts";

type KeyRow = Row<typeof sendKeys, "bodyHash" | "answer" | "createdAt">;

/** Removed with each new key: more than one, so that the table shrinks when less is sent. */
const FORGET_AT_ONCE = 10;

const FIND = "SELECT body_hash, answer, created_at FROM send_keys WHERE workspace = $1 AND key = $2";
const FORGET_OLD = `DELETE FROM send_keys WHERE (workspace, key) IN (
    SELECT workspace, key FROM send_keys WHERE created_at <= $1 AND NOT (workspace = $2 AND key = $3)
    ORDER BY created_at LIMIT ${FORGET_AT_ONCE} FOR UPDATE SKIP LOCKED)`;
const INSERT = `INSERT INTO send_keys (workspace, key, body_hash, created_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING`;
const RENEW = `UPDATE send_keys SET body_hash = $3, answer = NULL, created_at = $4 WHERE workspace = $1 AND key = $2`;
const KEEP = "UPDATE send_keys SET answer = $4 WHERE workspace = $1 AND key = $2 AND created_at = $3";
const FREE = "DELETE FROM send_keys WHERE workspace = $1 AND key = $2 AND created_at = $3";

export async function findKey(session: Session, workspace: number, key: string): Promise<KeptRequest | null> {
  const row = await session.row<KeyRow>(FIND, [workspace, key]);
  return row && keptOf(row);
}

/**
 * Locks the key for this transaction: another request with the same key waits until it ends. Returns what the key
 * was used for before.
 */
export async function lockKey(
  tx: Session,
  workspace: number,
  { key, bodyHash }: KeyedRequest,
  now: number,
): Promise<KeptRequest | null> {
  // Another request may free the key between these two statements.
  for (;;) {
    if ((await tx.run(INSERT, [workspace, key, bodyHash, now])) > 0) return null;
    const row = await tx.row<KeyRow>(`${FIND} FOR UPDATE`, [workspace, key]);
    if (row !== null) return keptOf(row);
  }
}

/** Stores a locked key for a request that begins. */
export async function takeKey(
  tx: Session,
  workspace: number,
  { key, bodyHash }: KeyedRequest,
  now: number,
): Promise<void> {
  await tx.run(FORGET_OLD, [now - KEY_LIFE_MS, workspace, key]);
  await tx.run(RENEW, [workspace, key, bodyHash, now]);
}

/** @param takenAt `now` of `takeKey`: another request may have the key since */
export async function keepAnswer(
  tx: Session,
  workspace: number,
  key: string,
  takenAt: number,
  answer: SendAnswer,
): Promise<void> {
  await tx.run(KEEP, [workspace, key, takenAt, JSON.stringify(answer)]);
}

/** @param takenAt as for `keepAnswer` */
export async function freeKey(tx: Session, workspace: number, key: string, takenAt: number): Promise<void> {
  await tx.run(FREE, [workspace, key, takenAt]);
}

const keptOf = (row: KeyRow): KeptRequest => ({
  ...row,
  answer: row.answer === null ? null : (JSON.parse(row.answer) as SendAnswer),
});
