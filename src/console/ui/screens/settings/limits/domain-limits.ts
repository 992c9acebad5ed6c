import type { Settings } from "../../../api/api.gen.ts";

type Limits = NonNullable<Settings["domainLimits"]>;

/** One provider's limits while somebody writes them. An empty number: no limit of that sort. */
export type LimitRow = {
  /** Names the row for as long as it is shown. */
  readonly key: number;
  readonly domains: string;
  readonly perHour: number | "";
  readonly connections: number | "";
};

export type RowProblem = "noDomain" | "noLimit" | "twice";

export const rowsOf = (limits: Limits | null, newKey: () => number): LimitRow[] =>
  Object.entries(limits ?? {}).map(([domains, { perHour, connections }]) => ({
    key: newKey(),
    domains: domains.replaceAll(",", ", "),
    perHour: perHour ?? "",
    connections: connections ?? "",
  }));

const domainsOf = ({ domains }: LimitRow): string =>
  domains
    .split(/[\s,;]+/)
    .filter((domain) => domain !== "")
    .join(",");

/** What keeps a row from being a limit; null: nothing does. */
export function problemOf(row: LimitRow, rows: readonly LimitRow[]): RowProblem | null {
  const domains = domainsOf(row);
  if (domains === "") return "noDomain";
  if (row.perHour === "" && row.connections === "") return "noLimit";
  return rows.some((other) => other.key !== row.key && domainsOf(other) === domains) ? "twice" : null;
}

/** The most of each number; the least is 1. A field that is left shows a number within that: it is what is saved. */
export const LIMIT_MAX = { perHour: 10_000_000, connections: 1_000 } as const;

const within = (value: number, most: number): number => Math.min(Math.max(value, 1), most);

/** The rows that are limits, as the setting; null where there are none. */
export function limitsOf(rows: readonly LimitRow[]): Limits | null {
  const whole = rows.filter((row) => problemOf(row, rows) === null);
  if (whole.length === 0) return null;
  return Object.fromEntries(
    whole.map((row) => [
      domainsOf(row),
      {
        ...(row.perHour === "" ? {} : { perHour: within(row.perHour, LIMIT_MAX.perHour) }),
        ...(row.connections === "" ? {} : { connections: within(row.connections, LIMIT_MAX.connections) }),
      },
    ]),
  );
}

/**
 * What was changed here, written onto what is stored by now: limits that somebody else has set meanwhile stay.
 * @param before what was stored when this page showed it
 */
export function changedOnto(now: Limits | null, before: Limits | null, after: Limits | null): Limits | null {
  const old = new Map(Object.entries(before ?? {}));
  const mine = new Map(Object.entries(after ?? {}));
  const kept = Object.entries(now ?? {}).filter(([domains]) => !old.has(domains) || mine.has(domains));
  const changed = [...mine].filter(([domains, limit]) => {
    const was = old.get(domains);
    return was === undefined || !isSame({ was }, { was: limit });
  });
  const limits = Object.fromEntries([...kept, ...changed]);
  return Object.keys(limits).length === 0 ? null : limits;
}

/** Whether both say the same, in whatever order. */
export const isSame = (one: Limits | null, other: Limits | null): boolean => text(one) === text(other);

const text = (limits: Limits | null): string =>
  JSON.stringify(
    Object.entries(limits ?? {})
      .map(([domains, { perHour, connections }]) => [domains, perHour ?? 0, connections ?? 0])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
