import type { SQL } from "bun";
import type { ChaosFigures, ChaosOptions, Mutant } from "./chaos-figures.ts";
import type { ChaosNode } from "./chaos-node.ts";

/** Without a fence, a node whose messages others have taken over is as good as before. */
const UNFENCED = `CREATE TRIGGER no_fence BEFORE UPDATE OF swept_at ON nodes FOR EACH ROW EXECUTE FUNCTION unfenced()`;

/** Records when nodes are fenced, also for the mutant that has no fence. */
export async function writeDownFences(sql: SQL, mutant: Mutant | undefined): Promise<void> {
  await sql.unsafe(`
    CREATE TABLE fences (node int8 NOT NULL, at int8 NOT NULL);
    CREATE FUNCTION fenced() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO fences VALUES (NEW.id, NEW.fenced_at); RETURN NULL; END $$;
    CREATE TRIGGER fenced AFTER UPDATE OF fenced_at ON nodes FOR EACH ROW
      WHEN (OLD.fenced_at IS NULL AND NEW.fenced_at IS NOT NULL) EXECUTE FUNCTION fenced();
    CREATE FUNCTION unfenced() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.fenced_at := NULL; NEW.swept_at := NULL; RETURN NEW; END $$;
    ${mutant === "no fence" ? UNFENCED : ""}`);
}

/** The facts after the end of the run. */
export type Evidence = {
  readonly given: ChaosOptions;
  readonly sql: SQL;
  readonly nodes: readonly ChaosNode[];
  /** When the relay took mail to an address. */
  readonly taken: ReadonlyMap<string, readonly number[]>;
  /** When an opt-out was answered. */
  readonly optedOut: ReadonlyMap<string, number>;
};

type AuditedRow = {
  readonly address: string;
  readonly state: string;
  /** When the node that wrote the dot was fenced. */
  readonly fenced: number | null;
};

/** The relay's record joined with the ledger. */
export async function audit({
  given,
  sql,
  taken,
  optedOut,
  nodes,
}: Evidence): Promise<Omit<ChaosFigures, "seconds">> {
  const rows: AuditedRow[] = await sql`
    SELECT d.address, d.state, (SELECT min(at)::float8 FROM fences WHERE node = d.node) AS fenced
    FROM deliveries AS d`;
  const of = (state: string) => rows.filter((row) => row.state === state);
  const times = (address: string) => taken.get(address) ?? [];
  const unsettled = rows.filter(({ state }) => !FINAL.includes(state));
  const planned = new Set(rows.map(({ address }) => address));
  const forgotten = readers(given).filter((address) => !planned.has(address) && !optedOut.has(address));
  const unsent = of("sent").filter(({ address }) => times(address).length === 0);
  const late = [...optedOut].filter(([address, at]) =>
    times(address).some((time) => time > at + given.leaseMs),
  );
  const afterFence = rows.filter(
    ({ address, fenced }) => fenced !== null && times(address).some((at) => at > fenced),
  );
  return {
    accepted: [...taken.values()].reduce((sum, { length }) => sum + length, 0),
    sent: of("sent").length,
    uncertain: of("uncertain").length,
    skipped: of("skipped").length,
    duplicates: [...taken.values()].reduce((sum, { length }) => sum + length - 1, 0),
    lost: unsent.length + unsettled.length + forgotten.length,
    mailedAfterOptOut: late.length,
    afterFence: afterFence.length,
    ended: nodes.reduce((sum, { ended }) => sum + ended, 0),
    miscounted: await faultsOfCounts(sql),
  };
}

const readers = ({ recipients }: ChaosOptions): string[] =>
  Array.from({ length: recipients }, (_, i) => `reader-${i + 1}@example.com`);

const FINAL = ["sent", "bounced", "failed", "uncertain", "skipped"];

async function faultsOfCounts(sql: SQL): Promise<string[]> {
  const counted: { state: string; n: number }[] = await sql`
    SELECT state, count(*)::float8 AS n FROM deliveries GROUP BY state`;
  const [sums] = await sql`SELECT sum(sent)::float8 AS sent, sum(uncertain)::float8 AS uncertain,
    sum(skipped)::float8 AS skipped, sum(queued)::float8 AS queued, sum(dot)::float8 AS dot FROM tallies`;
  return ["sent", "uncertain", "skipped", "queued", "dot"].flatMap((state) => {
    const n = counted.find((one) => one.state === state)?.n ?? 0;
    return (sums[state] ?? 0) === n ? [] : [`${sums[state]} ${state} are counted, ${n} rows are`];
  });
}
