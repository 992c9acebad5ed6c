/** SQLite files as they lie there, without a server. */
import { Database } from "bun:sqlite";
import { postrider } from "./postrider.ts";

export function readDatabase<T>(path: string, read: (sqlite: Database) => T): T {
  const sqlite = new Database(path);
  try {
    return read(sqlite);
  } finally {
    sqlite.close();
  }
}

/** The first value that a question returns. */
export const valueIn = (path: string, sql: string): unknown =>
  readDatabase(path, (sqlite) => sqlite.query(sql).values()[0]?.[0]);

/** Makes a database with one workspace. */
export const makeDatabase = (dataDir: string) =>
  postrider(dataDir, ["workspace", "create", "--name", "Ada's", "--json"]);
