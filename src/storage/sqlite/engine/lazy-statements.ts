import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import type { StorageFaults } from "#storage/common/engine/storage-faults.ts";
import { sqliteFaults } from "./sqlite-faults.ts";

type Faults = Pick<StorageFaults, "of">;

/**
 * From now on a query is compiled when it first runs. The stores define some hundreds of queries when they open,
 * many of them more than once, and most processes run only a few: compiling all would make every start slower.
 * Equal queries share one statement. A query with an error in it fails at its first run. If the database is damaged
 * or full, it throws a `StorageError`.
 */
export function compileAtFirstRun(sqlite: Database, faults: Faults = sqliteFaults()): void {
  const compile = sqlite.query.bind(sqlite) as (sql: string) => Statement;
  const named = statementsByText((sql) => new LazyStatement(sql, compile, faults));
  sqlite.query = named as unknown as Database["query"];
}

/**
 * The same database for Drizzle, which compiles with `prepare`. So its queries are also compiled at their first
 * run, and throw a `StorageError`.
 */
export function forDrizzle(sqlite: Database): Database {
  return Object.create(sqlite, { prepare: { value: (sql: string) => sqlite.query(sql) } });
}

/** Keeps a statement while something else keeps it: filters of lists make queries that are used only once. */
function statementsByText(make: (sql: string) => LazyStatement): (sql: string) => LazyStatement {
  const kept = new Map<string, WeakRef<LazyStatement>>();
  const gone = new FinalizationRegistry<string>((sql) => {
    if (kept.get(sql)?.deref() === undefined) kept.delete(sql);
  });
  return (sql) => {
    const known = kept.get(sql)?.deref();
    if (known !== undefined) return known;
    const statement = make(sql);
    kept.set(sql, new WeakRef(statement));
    gone.register(statement, sql);
    return statement;
  };
}

type Parameters = SQLQueryBindings[];

/** The methods of a statement that the stores use. */
class LazyStatement implements Pick<Statement, "get" | "all" | "run" | "values"> {
  #compiled: Statement | null = null;
  readonly #sql;
  readonly #compile;
  readonly #faults;

  constructor(sql: string, compile: (sql: string) => Statement, faults: Faults) {
    this.#sql = sql;
    this.#compile = compile;
    this.#faults = faults;
  }

  get(...parameters: Parameters) {
    try {
      return this.#whole().get(...parameters);
    } catch (error) {
      throw this.#faults.of(error);
    }
  }

  all(...parameters: Parameters) {
    try {
      return this.#whole().all(...parameters);
    } catch (error) {
      throw this.#faults.of(error);
    }
  }

  run(...parameters: Parameters) {
    try {
      return this.#whole().run(...parameters);
    } catch (error) {
      throw this.#faults.of(error);
    }
  }

  values(...parameters: Parameters) {
    try {
      return this.#whole().values(...parameters);
    } catch (error) {
      throw this.#faults.of(error);
    }
  }

  #whole(): Statement {
    return (this.#compiled ??= this.#compile(this.#sql));
  }
}
