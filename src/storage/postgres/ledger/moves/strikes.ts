import type { Outcome } from "#deliveries/ledger.ts";
import { afterStrike } from "#deliveries/moves/strike.ts";
import type { StrikeKind } from "#deliveries/reply/strikes.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row } from "#storage/postgres/schema/row.ts";
import type { addressStrikes } from "#storage/postgres/schema/schema.ts";
import type { LedgerRow } from "./ledger-rows.ts";

const FIND = `SELECT count, first_at, last_at FROM address_strikes
  WHERE workspace = $1 AND address = $2 AND kind = $3 FOR NO KEY UPDATE`;
const SAVE = `INSERT INTO address_strikes (workspace, address, kind, count, first_at, last_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (workspace, address, kind) DO UPDATE
    SET count = excluded.count, first_at = excluded.first_at, last_at = excluded.last_at`;
const CLEAR = "DELETE FROM address_strikes WHERE workspace = $1 AND address = $2";

/** Counts replies that are no proof alone (deliveries/reply/strikes.ts); the last one needed makes it a hard bounce. */
export async function applyStrike(
  tx: Session,
  { workspace, address, hasStrikes }: LedgerRow,
  outcome: Outcome,
  now: number,
  kind: StrikeKind | null,
): Promise<Outcome> {
  if (outcome.state === "sent" && hasStrikes) await tx.run(CLEAR, [workspace, address]);
  if (kind === null) return outcome;
  type Strikes = Row<typeof addressStrikes, "count" | "firstAt" | "lastAt">;
  const before = await tx.row<Strikes>(FIND, [workspace, address, kind]);
  const { outcome: final, history } = afterStrike(outcome, kind, before, now);
  if (history) await tx.run(SAVE, [workspace, address, kind, history.count, history.firstAt, history.lastAt]);
  return final;
}
