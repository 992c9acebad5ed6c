/**
 * Reads a database file without changing it: no migration, no write. For files that may be damaged, not ours or too
 * new.
 */
import { errorCode, NOT_OURS } from "#core/errors/error-code.ts";
import { Database } from "bun:sqlite";
import type { SettingPair } from "#workspaces/settings/settings.ts";
import { toBeHeld, type Held } from "#storage/sqlite/run/hold.ts";
import { pendingIn } from "#storage/sqlite/schema/migrate.ts";
import { MIGRATIONS } from "#storage/sqlite/schema/migrations.gen.ts";
import { checkOwnLog } from "./own-log.ts";
import { findForeignPart } from "#storage/sqlite/schema/schema-check.ts";
import { movedTo } from "#storage/sqlite/run/moved-to.ts";
import { troubledWebhooks } from "#storage/sqlite/webhooks/webhook-store.ts";
import { figuresSum, laterFiguresSum } from "#storage/sqlite/stats/stats-store.ts";
import type { Instant } from "#core/time/clock.ts";
import { ratesOf, ratesSpan, type Rates } from "#stats/rates.ts";
import type { TroubledWebhook } from "#webhooks/webhook.ts";
import { present } from "#core/present.ts";
import { errorText } from "#core/errors/thrown.ts";
import type { Row } from "#storage/sqlite/schema/row.ts";
import type { settings, workspaces } from "#storage/sqlite/schema/schema.ts";

export type Inspection = {
  /** The damage of the file itself; null if it is intact. */
  readonly damage: string | null;
  /**
   * The part of its schema that is not ours; see `findForeignPart`. Null if all of it is ours, or if the file is
   * damaged.
   */
  readonly foreignPart: string | null;
  /** Migrations that were not applied yet. */
  readonly pending: readonly string[];
  /** Where its data was moved, in words; null: it is here. */
  readonly movedTo: string | null;
  /** When a server last used it; null if none ever did. */
  readonly lastRunAt: number | null;
  readonly contacts: number;
  /** What is held for a person's decision if this database turns out to be a copy. */
  readonly toBeHeld: readonly Held[];
  readonly workspaces: readonly {
    readonly id: string;
    readonly settings: readonly SettingPair[];
    readonly webhooks: readonly TroubledWebhook[];
    /** The rates of its recent mail. Null: not asked for, or the file is older than these figures. */
    readonly rates: Rates | null;
  }[];
};

type SettingRow = Row<typeof settings, "key" | "value">;

/**
 * @param depth `quick` reads every page, `full` also compares the indexes with their tables
 * @param now if the rates of the last days are wanted
 * @throws Error if it is no Postrider database; MigrationError if a newer version wrote it; Advised if another's log lies
 * beside it
 */
export const inspectDatabase = (path: string, depth: "quick" | "full", now?: Instant): Inspection =>
  reading(path, (sqlite) => inspect(sqlite, depth, now));

/** The migrations that were not applied to a file yet. @throws as `inspectDatabase` does */
export const pendingOf = (path: string): readonly string[] =>
  reading(path, (sqlite) => {
    checkOurs(sqlite);
    return pendingIn(sqlite, MIGRATIONS);
  });

function reading<T>(path: string, work: (sqlite: Database) => T): T {
  checkOwnLog(path);
  const sqlite = new Database(path, {
    readwrite: true,
    create: false,
    strict: true,
  });
  try {
    sqlite.exec("PRAGMA busy_timeout = 5000");
    sqlite.exec("PRAGMA query_only = ON");
    sqlite.exec("PRAGMA trusted_schema = OFF");
    return work(sqlite);
  } catch (error) {
    if (errorCode(error) === "SQLITE_NOTADB") throw notOurs(path, error);
    throw error;
  } finally {
    sqlite.close(true);
  }
}

function inspect(sqlite: Database, depth: "quick" | "full", now: Instant | undefined): Inspection {
  const known = checkOurs(sqlite);
  const pending = pendingIn(sqlite, MIGRATIONS);
  const damage = damageIn(sqlite, depth);
  const foreignPart = damage === null ? findForeignPart(sqlite, MIGRATIONS, pending) : null;
  if (damage !== null || foreignPart !== null)
    return {
      damage,
      foreignPart,
      pending,
      movedTo: null,
      lastRunAt: null,
      contacts: 0,
      toBeHeld: [],
      workspaces: [],
    };
  const settings = sqlite.query<SettingRow, [string]>(
    "SELECT s.key, s.value FROM settings s JOIN workspaces w ON w.seq = s.workspace WHERE w.id = ? ORDER BY s.key",
  );
  const all = sqlite
    .query<Row<typeof workspaces, "seq" | "id">, []>("SELECT seq, id FROM workspaces ORDER BY seq")
    .all();
  const webhooksOf = known.has("webhooks") ? troubledWebhooks(sqlite) : () => [];
  const hasRates = now !== undefined && known.has("activity_counts");
  const lately = hasRates ? ratesUntil(sqlite, now, pending) : () => null;
  return {
    damage,
    foreignPart,
    pending,
    movedTo: pending.includes("0043_moved") ? null : movedTo(sqlite),
    // The last, not the latest: the clock may have been ahead at an earlier start.
    lastRunAt: one(sqlite, "SELECT (SELECT started_at FROM runs ORDER BY seq DESC LIMIT 1) AS one"),
    contacts: one(sqlite, "SELECT count(*) AS one FROM contacts") ?? 0,
    toBeHeld: toBeHeld(sqlite, (name) => known.has(name)),
    workspaces: all.map(({ seq, id }) => ({
      id,
      settings: settings.all(id),
      webhooks: webhooksOf(seq),
      rates: lately(seq),
    })),
  };
}

/** The names of its tables. @throws Error if they are not ours */
function checkOurs(sqlite: Database): ReadonlySet<string> {
  const known = tableNames(sqlite);
  if (["schema_migrations", "instance", "workspaces"].every((name) => known.has(name))) return known;
  throw notOurs(sqlite.filename);
}

function ratesUntil(
  sqlite: Database,
  now: Instant,
  pending: readonly string[],
): (workspace: number) => Rates {
  const sum = figuresSum(sqlite);
  const isOlder = pending.includes("0046_complained_elsewhere");
  const laterSum = isOlder ? () => ({ complainedElsewhere: 0 }) : laterFiguresSum(sqlite);
  const { from, to } = ratesSpan(now);
  return (workspace) => ratesOf({ ...sum(workspace, from, to), ...laterSum(workspace, from, to) });
}

const notOurs = (path: string, cause?: unknown): Error =>
  Object.assign(new Error(`${path} is no Postrider database`, { cause }), { code: NOT_OURS });

function tableNames(sqlite: Database): Set<string> {
  const rows = sqlite
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all();
  return new Set(rows.map(({ name }) => name));
}

/**
 * What a check says that comes before anything is changed. SQLite says the same of a file that is damaged and
 * of one read that failed, and only the doctor tells them apart.
 */
export const seemsDamaged = (path: string, found: string): Error =>
  new Error(
    `${path} is damaged, or its disk cannot be read (${found}). Nothing was changed or sent. Run \`postrider doctor\`. Put a backup in its place with \`postrider restore\` only if that says damaged too.`,
  );

function damageIn(sqlite: Database, depth: "quick" | "full"): string | null {
  const check = depth === "quick" ? "quick_check" : "integrity_check";
  try {
    const found =
      sqlite.query<Record<string, string>, []>(`PRAGMA ${check}(1)`).get()?.[check] ?? "no answer";
    return found === "ok" ? null : found;
  } catch (error) {
    return errorText(error);
  }
}

const one = (sqlite: Database, sql: string): number | null =>
  present(sqlite.query<{ one: number | null }, []>(sql).get(), "answer of a query for one value").one;
