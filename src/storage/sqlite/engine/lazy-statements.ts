import type { Database, Statement } from "bun:sqlite";
import { storageFaults, type StorageFaults } from "./storage-faults.ts";

/** The methods of a statement that the stores use. */
const METHODS = ["get", "all", "run", "values"] as const;

type Method = (typeof METHODS)[number];
type Methods = Record<Method, (...parameters: never[]) => unknown>;

/**
 * From now on a query is compiled when it runs for the first time. The stores name some hundreds of queries
 * when they open, and most processes run only a few: compiling all would make every start slower. So a query
 * with an error in it fails at its first run. If the database is damaged or full, it throws a `StorageError`.
 */
export function compileAtFirstRun(
  sqlite: Database,
  faults: Pick<StorageFaults, "of"> = storageFaults(),
): void {
  const compile = sqlite.query.bind(sqlite);
  sqlite.query = ((sql: string) => lazyStatement(() => compile(sql), faults)) as Database["query"];
}

/**
 * The same database for Drizzle, which compiles by `prepare`. So its queries, too, are compiled at their
 * first run and throw a `StorageError`.
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
