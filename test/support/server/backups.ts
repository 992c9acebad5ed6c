import { Database } from "bun:sqlite";
import { sleep, systemClock } from "#core/time/clock.ts";
import { callApi } from "./api.ts";
import { postrider, type RunningServer } from "./postrider.ts";
import type { Person } from "./signed-in.ts";

/** A backup that this owner made and may download, by its id. Waits for one that is being made. */
export async function unlockedBackup(owner: Person, password: string): Promise<string> {
  const over = async (): Promise<void> => {
    for (;;) {
      const { data } = (await owner.call("GET", "/backups")).body;
      if (!data.some(({ state }: { state: string }) => state === "RUNNING")) return;
      await sleep(systemClock, 10);
    }
  };
  await over();
  const made = await owner.call("POST", "/backups");
  if (made.status !== 202) throw new Error(`no backup: ${JSON.stringify(made.body)}`);
  await over();
  const { id } = made.body.data;
  const { status } = await owner.call("POST", `/backups/${id}/unlock`, { password });
  if (status !== 200) throw new Error(`the backup was not unlocked: ${status}`);
  return id;
}

/** Reads a SQLite file as it lies there, without a server. */
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

/** Calls a server's API with a key, and returns the `data` of its answers. */
export const calling =
  (server: RunningServer, key: string) => async (method: string, path: string, body?: unknown) =>
    (await callApi(`${server.url}/api/v1${path}`, method, key, body)).body.data;
