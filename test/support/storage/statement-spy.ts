import { AsyncLocalStorage } from "node:async_hooks";
import { Database } from "bun:sqlite";

/** Sees every SQL text that is run. Spies on SQLite's driver, not on our own code. */
export type StatementSpy = {
  /** What was run since the last `take`, each text once. */
  take(): string[];
  /** What `work` runs itself, each text once: nothing that the server does beside it. */
  during(work: () => Promise<unknown>): Promise<string[]>;
  stop(): void;
};

type Prepare = (this: Database, sql: string, ...rest: never[]) => object;

const RUNS = ["all", "get", "run", "values", "iterate", "raw"] as const;

/** Begins before a database is opened: statements that were prepared earlier go unseen. */
export function spyOnStatements(): StatementSpy {
  const seen = new Set<string>();
  const ofWork = new AsyncLocalStorage<Set<string>>();
  const see = (sql: string): void => {
    seen.add(sql);
    ofWork.getStore()?.add(sql);
  };
  const real = { prepare: Database.prototype.prepare, query: Database.prototype.query };
  const watching = (make: Prepare): Prepare =>
    function (this: Database, sql: string, ...rest: never[]) {
      const statement = make.call(this, sql, ...rest) as Record<string, unknown>;
      for (const name of RUNS) {
        const run = statement[name];
        if (typeof run !== "function" || Object.hasOwn(run, "isWatched")) continue;
        const watched = (...values: unknown[]): unknown => (see(sql), run.apply(statement, values));
        statement[name] = Object.assign(watched, { isWatched: true });
      }
      return statement;
    };
  Object.assign(Database.prototype, { prepare: watching(real.prepare), query: watching(real.query) });
  return {
    take() {
      const taken = [...seen];
      seen.clear();
      return taken;
    },
    async during(work) {
      const asked = new Set<string>();
      await ofWork.run(asked, work);
      return [...asked];
    },
    stop: () => void Object.assign(Database.prototype, real),
  };
}

/** The database, which tells of each COMMIT before it runs. */
export function countingCommits(database: Database, count: () => unknown): Database {
  const prepare = database.prepare.bind(database);
  return Object.assign(database, {
    prepare(sql: string) {
      const statement = prepare(sql);
      if (sql !== "COMMIT") return statement;
      const run = statement.run.bind(statement);
      return Object.assign(statement, { run: () => (count(), run()) });
    },
  });
}
