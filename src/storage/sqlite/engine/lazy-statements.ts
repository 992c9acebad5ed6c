import type { Database, Statement } from "bun:sqlite";
import { storageFaults, type StorageFaults } from "./storage-faults.ts";

/** What the stores do with a statement. */
const METHODS = ["get", "all", "run", "values"] as const;

type Method = (typeof METHODS)[number];
type Methods = Record<Method, (...parameters: never[]) => unknown>;

/**
 * From now on a query is compiled when it is run for the first time. The stores name some two hundred and fifty when they open, many of
 * them several times: to compile them all would be a tenth of a start, and most processes run few. A query with an error in it says so
 * at its first run. What a statement throws because the database is ill is a `StorageError`.
 */
export function compileAtFirstRun(
  sqlite: Database,
  faults: Pick<StorageFaults, "of"> = storageFaults(),
): void {
  const compile = sqlite.query.bind(sqlite);
  sqlite.query = ((sql: string) => lazyStatement(() => compile(sql), faults)) as Database["query"];
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
