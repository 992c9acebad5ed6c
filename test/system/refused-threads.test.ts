import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp, startCheckpoints } from "#app/database.ts";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { createLog } from "#log.ts";
import { signNow } from "#mail/dkim/rsa-signature.ts";
import { signatureThreads } from "#mail/dkim/threads/signature-threads.ts";
import { senderThreads } from "#mail/smtp/threads/sender-threads.ts";
import { openSqlite } from "#storage/sqlite/engine/open.ts";
import { startJobThread, startSenderThread, startSignatureThread } from "#threads.ts";
import { workPool, WorkLate } from "#work/pool.ts";
import { KEY } from "../support/sending/dkim.ts";
import { eventually } from "../support/common/eventually.ts";
import { relayAt } from "../support/sending/relay.ts";
import { scriptedSmtp } from "../support/sending/scripted-smtp.ts";
import { person } from "../support/people/people.ts";
import { startApi } from "../support/server/api.ts";

/** A system at its limit of threads: each that is asked for is refused, as by the runtime. */

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const lines: string[] = [];
const log = createLog({
  level: "info",
  format: "json",
  clock: systemClock,
  write: (line) => lines.push(line),
});
const world = { clock: systemClock, random: systemRandom, log };

/** @returns a function that ends it */
function refuseThreads(): () => void {
  lines.length = 0;
  const { Worker } = globalThis;
  const allow = (): void => void (globalThis.Worker = Worker);
  const refused = function refused() {
    throw new TypeError("Failed to spawn worker thread");
  };
  globalThis.Worker = refused as unknown as typeof Worker;
  stops.push(allow);
  return allow;
}

test("a question about a segment is an error, and the next one is answered", async () => {
  const api = await startApi();
  stops.push(() => api.stop());
  await person(api, "ada@example.com");
  const rules = { field: "email", op: "contains", value: "ada" };
  const { id } = (await api.call("POST", "/segments", { name: "Ada", rules })).body.data;
  const count = async () => await api.call("GET", `/segments/${id}/count`);
  const allow = refuseThreads();
  const asked = await Promise.all([count(), count()]);
  allow();
  // PostgreSQL answers without a thread.
  for (const { status } of asked) expect([200, 500]).toContain(status);
  expect((await count()).body.data).toEqual({ total: 1, subscribed: 1 });
});

test("letters that are made in a thread are late, and the next one is made", async () => {
  const pool = workPool({ startThread: startJobThread, clock: systemClock, log });
  stops.push(() => pool.stop());
  const make = async (workspace: string) =>
    await pool.run(workspace, "mjml", "<mjml><mj-body></mj-body></mjml>").catch((error: unknown) => error);
  const allow = refuseThreads();
  // Of one workspace and of another: what waits has its turn after a thread was refused, too.
  for (const made of await Promise.all(["ws_ada", "ws_ada", "ws_grace"].map(make)))
    expect(made).toBeInstanceOf(WorkLate);
  allow();
  expect(await make("ws_ada")).toMatchObject({ ok: true });
});

test("every message is signed all the same", async () => {
  const signatures = signatureThreads(2, { startThread: startSignatureThread, clock: systemClock, log });
  stops.push(() => signatures.close());
  const texts = Array.from({ length: 24 }, (_, n) => `text ${n}\r\n`);
  const sign = async () => await Promise.all(texts.map((text) => signatures.sign(text, KEY.privateKey)));
  refuseThreads();
  expect(await sign()).toEqual(texts.map((text) => signNow(text, KEY.privateKey)));
  expect(lines.join()).toContain("a signature thread ended");
});

test("a connection of a sender thread is not opened; after three, mail goes out from the main thread", async () => {
  const relay = scriptedSmtp();
  stops.push(() => relay.stop());
  const newSession = senderThreads(1, { startThread: startSenderThread, clock: systemClock, log });
  refuseThreads();
  for (let n = 0; n < 3; n++) {
    const session = newSession(relayAt(relay.url));
    expect(await session.open()).not.toBeNull();
  }
  const session = newSession(relayAt(relay.url));
  expect(await session.open()).toBeNull();
  await session.close();
  expect(lines.join()).toContain("mail goes out from the main thread");
});

test("commits make the checkpoints, until there is a thread; and a backup fails, and leaves nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "postrider-test-"));
  stops.push(() => rmSync(folder, { recursive: true }));
  const database = openSqlite(folder, systemClock, systemRandom);
  stops.push(() => database.close());
  const allow = refuseThreads();
  const checkpoints = startCheckpoints({ database } as Parameters<typeof startCheckpoints>[0], world);
  stops.push(() => checkpoints.stop());
  // They are started when the log has grown.
  database.sqlite.run("CREATE TABLE pages (text TEXT NOT NULL) STRICT");
  await database.writes.write(() => {
    for (let n = 0; n < 2_000; n++) database.sqlite.run("INSERT INTO pages VALUES (?)", ["a".repeat(4_000)]);
  });
  await eventually(() => lines.join().includes("the checkpoint thread ended"));
  const file = join(folder, "copy.db");
  const work = { clock: systemClock, onProgress: () => undefined };
  const failed = await backUp(join(folder, "postrider.db"), file, work).catch((error: unknown) => error);
  expect(String(failed)).toContain("Failed to spawn worker thread");
  expect(readdirSync(folder).filter((name) => name.startsWith("copy"))).toEqual([]);
  allow();
  await eventually(() => lines.join().includes("the checkpoint thread works again"));
});
