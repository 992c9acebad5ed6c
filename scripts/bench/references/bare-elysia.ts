/**
 * The reference for our routes: plain Elysia, one statement a route. Writes use Postrider's own write queue
 * and pragmas, so they are as durable as ours.
 *
 *     bun scripts/bench/references/bare-elysia.ts DIR PORT
 *
 * DIR holds a database with Postrider's schema.
 */
import { Elysia, t } from "elysia";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";

const [directory, port] = process.argv.slice(-2) as [string, string];
const { sqlite, writes } = openSqlite(directory, systemClock, systemRandom);
sqlite.exec(
  "CREATE TABLE IF NOT EXISTS bare_rows (seq INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL) STRICT",
);
const insert = sqlite.query<{ seq: number }, [string, string, number]>(
  "INSERT INTO bare_rows (email, name, at) VALUES (?, ?, ?) RETURNING seq",
);
const select = sqlite.query<Record<string, unknown>, [string]>(
  "SELECT id, email, first_name, last_name, tags, status, created_at FROM contacts WHERE id = ?",
);

const insertOne = (email: string, name: string): Promise<{ seq: number }> =>
  writes.write(() => insert.get(email, name, Date.now())!);

new Elysia()
  .post("/contacts", async ({ body }) => ({ data: await insertOne(body.email, body.firstName) }), {
    body: t.Object({ email: t.String(), firstName: t.String(), lastName: t.String() }),
  })
  .post("/events", async ({ body }) => ({ data: await insertOne(body.email, body.name) }), {
    body: t.Object({
      name: t.String(),
      email: t.String(),
      value: t.Number(),
      currency: t.String(),
      properties: t.Record(t.String(), t.Unknown()),
    }),
  })
  .get("/hit/:token", async ({ params }) => ({ data: await insertOne(params.token, "hit") }))
  .get("/contacts/:id", ({ params }) => ({ data: select.get(params.id) }))
  .listen({ hostname: "127.0.0.1", port: Number(port) });
