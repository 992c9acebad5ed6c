import type { Database, Statement } from "bun:sqlite";
import { storageFaults, type StorageFaults } from "./storage-faults.ts";

/** The methods of a statement that the stores use. */
const METHODS = ["get", "all", "run", "values"] as const;

type Method = (typeof METHODS)[number];
type Methods = Record<Method, (...parameters: never[]) => unknown>;

/**
 * From now on a query is compiled when it runs for the first time. The stores name hundreds of queries
 * when they open, and most processes run only a few. Compiling them all would make the start slower. So a query with an error reports it at its first run. Errors that
 * come from a damaged or full database are thrown as `StorageError`.
 */
export function compileAtFirstRun(
  sqlite: Database,
  faults: Pick<StorageFaults, "of"> = storageFaults(),
): void {
  const compile = sqlite.query.bind(sqlite);
  sqlite.query = ((sql: string) => lazyStatement(() => compile(sql), faults)) as Database["query"];
}

/**
 * The same database for Drizzle, which compiles by `prepare`. Its queries, too, are compiled when they run for the first time and
 * throw a `StorageError` for a damaged or full database.
 */
export function forDrizzle(sqlite: Database): Database {
  return Object.create(sqlite, { prepare: { value: (sql: string) => sqlite.query(sql) } });
}

function lazyStatement(compile: () => Statement, faults: Pick<StorageFaults, "of">): Statement {
  const statement = {} as Methods;
  const guarded = (run: Methods[Method]): Methods[Method] => {
    return (...parameters) => {
      try {
        return run(...parameters);
      } catch (error) {
        throw faults.of(error);
      }
    };
  };
  const compiled = (method: Method): Methods[Method] => {
    const whole = compile();
    for (const name of METHODS) statement[name] = guarded(whole[name].bind(whole));
    return statement[method];
  };
  for (const name of METHODS) statement[name] = (...parameters) => compiled(name)(...parameters);
  return statement as unknown as Statement;
}
