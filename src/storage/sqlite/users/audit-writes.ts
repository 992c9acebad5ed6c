import type { Database } from "bun:sqlite";
import type { Instant } from "#core/clock.ts";
import { DAY_MS } from "#core/time.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { audit, memberships } from "#storage/sqlite/schema/schema.ts";

/** How long it is remembered who did what. */
export const AUDIT_KEPT_MS = 365 * DAY_MS;
/** With every new entry up to so many old ones go, so that no run of the upkeep is needed. */
const FORGOTTEN_AT_ONCE = 20;

export type AuditEntry = {
  readonly at: Instant;
  readonly who: string;
  readonly what: string;
  readonly target: string | null;
};

export type AuditWrites = ReturnType<typeof auditWrites>;

/** Entries of the audit log, written inside the transaction of what they tell. */
export function auditWrites(sqlite: Database) {
  const insert = sqlite.query<
    Row<typeof audit, "seq">,
    [number | null, number, string, string, string | null]
  >("INSERT INTO audit (workspace, at, who, what, target) VALUES (?, ?, ?, ?, ?) RETURNING seq");
  const forget = sqlite.query<null, [number, number]>(
    "DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE at < ? ORDER BY seq LIMIT ?)",
  );
  const workspacesOf = sqlite.query<Row<typeof memberships, "workspace">, [string]>(
    `SELECT m.workspace FROM memberships AS m JOIN users AS u ON u.seq = m.user
     WHERE u.email = ? AND m.joined_at IS NOT NULL`,
  );

  /** @param workspace null: of nobody's */
  const add = (workspace: number | null, { at, who, what, target }: AuditEntry): number => {
    forget.run(at - AUDIT_KEPT_MS, FORGOTTEN_AT_ONCE);
    return insert.get(workspace, at, who, what, target)?.seq ?? 0;
  };

  return {
    add,

    /** In every workspace that the person may enter; in none's, if they may enter none. */
    addOf(email: string, what: string, at: Instant, who = email): void {
      const entered = workspacesOf.all(email);
      const target = who === email ? null : email;
      const entry = { at, who, what, target };
      if (entered.length === 0) add(null, entry);
      for (const { workspace } of entered) add(workspace, entry);
    },
  };
}
