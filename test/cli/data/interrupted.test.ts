/** What a command that a signal ends leaves behind: nothing that holds people's addresses. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { eventually } from "../../support/common/eventually.ts";
import { placeOf, postrider, PROGRAM, temporaryDirectory } from "../../support/server/postrider.ts";
import { needsSqlite } from "../../support/server/services.ts";
import { fillWithContacts } from "../../support/storage/many-contacts.ts";

const world = { clock: systemClock, random: systemRandom, log: SILENT_LOG };
const [home, files] = [temporaryDirectory(), temporaryDirectory()];
afterAll(() => [home, files].forEach((each) => each.remove()));

const fill = (): Promise<void> =>
  fillWithContacts(home.path, world, { count: 40_000, lastName: "y".repeat(200) });

/** Starts a command behind a line of `sh`, and signals it as soon as it has begun its file. */
async function interrupted(command: readonly string[], signal: NodeJS.Signals, line = 'exec "$@"') {
  const directory = `${files.path}/${signal}-${command[0]}-${line.length}`;
  mkdirSync(directory);
  const words = ["sh", "-c", line, "sh", ...PROGRAM, ...command, `${directory}/file`];
  const env = { ...process.env, ...(await placeOf(home.path)), DATA_DIR: home.path };
  const child = Bun.spawn(words, { env, stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  await eventually(() => readdirSync(directory).some((name) => name.endsWith(".part")));
  child.kill(signal);
  return { code: await child.exited, left: readdirSync(directory) };
}

const EXPORT = ["export", "contacts", "--output"];

test("an export that a signal ends leaves no half file, and goes on where the signal is ignored", async () => {
  await fill();
  expect(await interrupted(EXPORT, "SIGINT")).toEqual({ code: 130, left: [] });
  expect(await interrupted(EXPORT, "SIGTERM")).toEqual({ code: 143, left: [] });
  const ignoring = "trap '' HUP; exec \"$@\"";
  expect(await interrupted(EXPORT, "SIGHUP", ignoring)).toEqual({ code: 0, left: ["file"] });
});

test("an export that was killed leaves a half file, which the next one to the same name takes away", async () => {
  const { left } = await interrupted(EXPORT, "SIGKILL");
  expect(left).toEqual([expect.stringMatching(/^file\..*\.part$/)]);
  const directory = `${files.path}/${readdirSync(files.path).find((name) => name.startsWith("SIGKILL"))}`;
  // Of a process that still runs.
  writeFileSync(`${directory}/file.postrider-1.part`, "");
  const command = ["export", "contacts", "--status", "PENDING", "--output", `${directory}/file`];
  expect(await postrider(home.path, command)).toMatchObject({ code: 0 });
  expect(readdirSync(directory).toSorted()).toEqual(["file", "file.postrider-1.part"]);
});

test.skipIf(needsSqlite("PostgreSQL has backups of its own"))(
  "nor does a backup, which holds the secret of the links too",
  async () => {
    expect(await interrupted(["backup"], "SIGTERM")).toEqual({ code: 143, left: [] });
  },
);
