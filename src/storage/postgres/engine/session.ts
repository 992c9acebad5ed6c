import type { SQL } from "bun";
import { drizzle } from "drizzle-orm/bun-sql";
import type { Ask } from "./pool.ts";

/**
 * Where statements run: on any connection, each in its own transaction, or all on the connection of one open
 * transaction. Drizzle is for ordinary statements, raw SQL for what its builder cannot express.
 */
export type Session = {
  readonly orm: ReturnType<typeof drizzleOver>;
  /**
   * Runs a statement with its values (`$1`, `$2`, …). Its rows come with the names of the Drizzle schema, and int8 as
   * numbers; a `sum` needs `::int8`. An array is one value, for `= ANY($1)` and `unnest($1::text[])`.
   */
  rows<Found>(text: string, values?: readonly Value[]): Promise<Found[]>;
  /** The first row; null without one. */
  row<Found>(text: string, values?: readonly Value[]): Promise<Found | null>;
  /** Runs a statement that returns no rows. Returns how many rows it changed. */
  run(text: string, values?: readonly Value[]): Promise<number>;
  /** Says what work a write brings: after the commit, its listeners are called (`Transactions.onWritten`). */
  brings(work: Work): void;
};

/** What a job of this process waits for: triggers of automations, and messages for webhooks. */
export type Work = "starts" | "webhook messages";

/** JSON is passed as text, for `$1::text::jsonb`. */
export type Value = Scalar | readonly Scalar[];
type Scalar = string | number | boolean | Uint8Array | null;

/** The number of the type int8 in PostgreSQL's catalogue (pg_type). */
const INT8 = 20;

const drizzleOver = (client: SQL, ask: Ask) =>
  drizzle({
    client: new Proxy(client, {
      get: (of, name) =>
        name === "unsafe"
          ? (text: string, values: unknown[] = []) => statementOf(ask, text, values.map(takenText))
          : (Reflect.get(of, name) as unknown),
    }),
  });

/** As the driver's own, it runs when somebody waits for it: Drizzle waits for it, or for its `values`. */
const statementOf = (ask: Ask, text: string, values: unknown[]) => ({
  values: () => ask((on) => on.unsafe(text, values).values()),
  // oxlint-disable-next-line no-thenable
  then: (...followers: Parameters<Promise<unknown>["then"]>) =>
    ask((on) => on.unsafe(text, values)).then(...followers),
});

/**
 * PostgreSQL accepts no text with NUL, and no stored text has one (core/text/stored-text.ts). So NUL in a value becomes
 * U+FFFD, as the driver does with a lone surrogate: an id with it matches nothing.
 */
const takenText = <T>(value: T): T =>
  typeof value === "string" && value.includes("\0") ? (value.replaceAll("\0", "\uFFFD") as T) : value;

/** @param ask how a statement is run; without it, as the driver does */
export function sessionOver(
  client: SQL,
  brings: (work: Work) => void = () => {},
  ask: Ask = async (statement) => await statement(client),
): Session {
  let orm: ReturnType<typeof drizzleOver> | undefined;

  const rows = async <Found>(text: string, values: readonly Value[] = []): Promise<Found[]> => {
    const found = await ask((on) =>
      on.unsafe<Record<string, unknown>[]>(text, values.map(parameterOf(client))),
    );
    for (const { name, type } of found.columns ?? [])
      if (type === INT8) for (const row of found) row[name] = numberOf(row[name]);
    // The driver's own array also describes the statement, and would not be equal to an ordinary one.
    return [...found] as Found[];
  };

  return {
    get orm() {
      return (orm ??= drizzleOver(client, ask));
    },
    rows,
    brings,
    row: async <Found>(text: string, values?: readonly Value[]) =>
      (await rows<Found>(text, values))[0] ?? null,
    run: async (text, values = []) =>
      (await ask((on) => on.unsafe(text, values.map(parameterOf(client))))).count,
  };
}

const numberOf = (value: unknown): number | null => (value === null ? null : Number(value));

const parameterOf =
  (client: SQL) =>
  (value: Value): unknown =>
    Array.isArray(value) ? client.array(value.map(takenText), elementType(value)) : takenText(value);

/** How the driver writes the elements. The statement itself gives the array's type. */
function elementType(values: readonly Scalar[]): string {
  const first = values.find((value) => value !== null);
  if (typeof first === "number") return "BIGINT";
  if (typeof first === "boolean") return "BOOLEAN";
  return first instanceof Uint8Array ? "BYTEA" : "TEXT";
}
