import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";

/**
 * From now on every write is done twice. The first result is rolled back, as if another node was faster: the rules
 * are called again with freshly loaded rows.
 * @returns how often that happened
 */
export function everyWriteTwice({ sqlite, writes }: SqliteDatabase): () => number {
  const write = writes.write.bind(writes);
  let n = 0;
  Object.assign(writes, {
    write: (work: () => unknown) =>
      write(() => {
        n++;
        sqlite.run("SAVEPOINT first_time");
        try {
          work();
        } catch {
          // It throws again below.
        } finally {
          sqlite.run("ROLLBACK TO first_time");
          sqlite.run("RELEASE first_time");
        }
        return work();
      }),
  });
  return () => n;
}

/** Every row of every table, without the search indexes. */
export function everyRow({ sqlite }: Pick<SqliteDatabase, "sqlite">): Record<string, unknown[]> {
  const tables = sqlite
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .all();
  return Object.fromEntries(tables.map(({ name }) => [name, sqlite.query(`SELECT * FROM "${name}"`).all()]));
}
