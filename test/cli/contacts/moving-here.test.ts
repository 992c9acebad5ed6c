/** The README's "Moving here": each command as it stands there, typed into a shell beside a server that was just started. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { present } from "#core/present.ts";
import {
  PROGRAM,
  placeOf,
  postrider,
  startPostrider,
  type RunningServer,
} from "../../support/server/postrider.ts";

const README = readFileSync(resolve(import.meta.dir, "../../../README.md"), "utf8");
const SECTION = present(README.split("\n## Moving here\n")[1]?.split("\n## ")[0], "section");
const FIXTURES = resolve(import.meta.dir, "../../fixtures/imports");

/** What stands behind `postrider import contacts` for this tool: a file, and perhaps flags. */
function commandsFor(tool: string): string[] {
  const row = present(
    SECTION.split("\n").find((line) => line.startsWith(`| ${tool} |`)),
    `row of ${tool}`,
  );
  const cell = present(row.split(" | ")[2], "third cell");
  return [...cell.matchAll(/`([^`]+\.csv[^`]*)`/g)].map(([, command]) => present(command, "command"));
}

let home = "";
let server: RunningServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "postrider-moving-"));
  mkdirSync(join(home, "bin"));
  const program = PROGRAM.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(home, "bin/postrider"), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
  mkdirSync(join(home, "files"));
  server = await startPostrider(join(home, "data"));
});
afterEach(async () => {
  await server.end("SIGTERM");
  rmSync(home, { recursive: true });
});

const file = (name: string, from: string): void =>
  copyFileSync(join(FIXTURES, from), join(home, "files", name));

/** A line as a person types it into a shell, in the directory of the files. */
async function inShell(line: string) {
  const shell = Bun.spawn(["sh", "-c", line], {
    cwd: join(home, "files"),
    env: {
      ...process.env,
      ...(await placeOf(join(home, "data"))),
      PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
      DATA_DIR: join(home, "data"),
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
    shell.exited,
  ]);
  return { code, err, out };
}

/** An import of a file prints its result as JSON. */
async function typed(command: string) {
  const { out, ...ended } = await inShell(`postrider import contacts ${command} --json`);
  return { ...ended, result: JSON.parse(out) };
}

async function json(...args: string[]): Promise<any[]> {
  const { out } = await postrider(join(home, "data"), [...args, "--json"]);
  return JSON.parse(out);
}

async function statuses(): Promise<Record<string, string>> {
  const all = await json("export", "contacts");
  return Object.fromEntries(all.map(({ email, status }) => [email, status]));
}

const suppressed = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await json("suppression", "list")).map(({ email, reason }) => [email, reason]));

/**
 * Its export has everybody who left a list, or never confirmed, as `enabled`: only the files of its lists say who. Somebody may
 * be in several of them.
 */
test("listmonk: a command for each file; who left a list, confirmed none or was blocked gets no campaigns", async () => {
  const commands = commandsFor("listmonk");
  const head = "uuid,email,name,attributes,status,created_at,updated_at";
  const enabled = (name: string): string => `${name}-uuid,${name}@listmonk.example,${name},{},enabled,,\n`;
  const write = (name: string, rows: string): void =>
    writeFileSync(join(home, "files", name), `${head}\n${rows}`);
  write("unsubscribed.csv", enabled("left"));
  write("confirmed.csv", enabled("left") + enabled("both"));
  write("unconfirmed.csv", enabled("waits") + enabled("both") + enabled("left"));
  const whole = readFileSync(join(FIXTURES, "listmonk.csv"), "utf8").slice(head.length + 1);
  write("subscribers.csv", `${whole.trimEnd()}\n${["left", "waits", "both"].map(enabled).join("")}`);
  for (const command of commands) {
    const { err, result } = await typed(command);
    const isWhole = command.startsWith("subscribers.csv");
    // Only these subscribe somebody. One row has a status that listmonk does not write.
    expect(err.includes("left a list")).toBe(isWhole || command.startsWith("confirmed.csv"));
    expect(result.created).toBe(isWhole ? 3 : 1);
    if (isWhole) expect(result.errors.map(({ line }: { line: number }) => line)).toContain(5);
  }
  expect(await statuses()).toEqual({
    "ada@listmonk.example": "SUBSCRIBED",
    "both@listmonk.example": "SUBSCRIBED",
    "grace@listmonk.example": "UNSUBSCRIBED",
    "left@listmonk.example": "UNSUBSCRIBED",
    "linus@listmonk.example": "UNSUBSCRIBED",
    "waits@listmonk.example": "PENDING",
  });
  expect(await suppressed()).toEqual({
    "grace@listmonk.example": "UNSUBSCRIBED",
    "left@listmonk.example": "UNSUBSCRIBED",
    "linus@listmonk.example": "MANUAL",
  });
  const [ada] = (await json("export", "contacts")).filter(({ email }) => email.startsWith("ada@"));
  expect(ada).toMatchObject({
    firstName: "Ada",
    lastName: "King Lovelace",
    attributes: { city: "London", visits: 7, vip: true, langs: ["en", "fr"] },
  });
});

test("Mailchimp: a command for each file of its archive; consent keeps its time, and nobody comes back", async () => {
  const commands = commandsFor("Mailchimp");
  expect(commands).toHaveLength(3);
  for (const state of ["subscribed", "unsubscribed", "cleaned"])
    file(`${state}_audience_export_0a1b2c.csv`, `mailchimp-${state}.csv`);
  for (const command of commands)
    expect(await typed(command)).toMatchObject({ code: 0, result: { errors: [] } });
  const moved = {
    "ada@mailchimp.example": "SUBSCRIBED",
    "grace@mailchimp.example": "SUBSCRIBED",
    "linus@mailchimp.example": "UNSUBSCRIBED",
    "dead@mailchimp.example": "BOUNCED",
  };
  expect(await statuses()).toEqual(moved);
  expect(await suppressed()).toEqual({
    "linus@mailchimp.example": "UNSUBSCRIBED",
    "dead@mailchimp.example": "HARD_BOUNCE",
  });
  const given = (await json("consent", "list")).filter(({ email }) => email.startsWith("ada@"));
  expect(given).toMatchObject([{ source: "import", at: "2020-03-14T09:14:00.000Z" }]);
  // The whole once more: nobody is there twice, and nobody is raised.
  for (const command of commands) expect((await typed(command)).result).toMatchObject({ created: 0 });
  expect(await statuses()).toEqual(moved);
});

test("Brevo: a command for each of two exports, in either order; who is blocklisted stays out", async () => {
  const commands = commandsFor("Brevo");
  expect(commands).toHaveLength(2);
  const write = (name: string, rows: string): void =>
    writeFileSync(join(home, "files", name), `EMAIL;FIRSTNAME;ADDED_TIME\n${rows}`);
  write("subscribed.csv", "ada@brevo.example;Ada;12-04-2022\n");
  write("blocklisted.csv", "grace@brevo.example;Grace;12-04-2022\n");
  // As they stand there, and then, in the other order, a file that has the other's people too.
  for (const command of commands) expect(await typed(command)).toMatchObject({ code: 0 });
  write("subscribed.csv", "ada@brevo.example;Ada;12-04-2022\ngrace@brevo.example;Grace;12-04-2022\n");
  for (const command of commands.toReversed()) expect(await typed(command)).toMatchObject({ code: 0 });
  expect(await statuses()).toEqual({
    "ada@brevo.example": "SUBSCRIBED",
    "grace@brevo.example": "UNSUBSCRIBED",
  });
});

test("Keila and Substack: a command each", async () => {
  for (const [tool, name, from] of [
    ["Keila", "contacts.csv", "keila.csv"],
    ["Substack", "email_list.csv", "substack.csv"],
  ] as const) {
    file(name, from);
    const [command = ""] = commandsFor(tool);
    expect(await typed(command)).toMatchObject({ code: 0, result: { errors: [] } });
  }
  expect(await statuses()).toEqual({
    "ada@keila.example": "SUBSCRIBED",
    "grace@keila.example": "UNSUBSCRIBED",
    "dead@keila.example": "BOUNCED",
    "ada@substack.example": "SUBSCRIBED",
    "grace@substack.example": "UNSUBSCRIBED",
  });
});

test("a spreadsheet, with usual headers and with others", async () => {
  const [usual = "", mapped = ""] = commandsFor("a spreadsheet, or any other tool");
  const path = join(home, "files/people.csv");
  writeFileSync(path, "E-Mail;Vorname;Nachname\nada@sheet.example;Ada;Lovelace\n");
  expect(await typed(usual)).toMatchObject({ code: 0, result: { created: 1 } });
  writeFileSync(path, "Contact,Called\ngrace@sheet.example,Grace\n");
  expect(await typed(mapped)).toMatchObject({ code: 0, result: { created: 1 } });
  // The newest first.
  expect(await json("export", "contacts")).toMatchObject([
    { email: "grace@sheet.example", firstName: "Grace", lastName: "", status: "SUBSCRIBED" },
    { email: "ada@sheet.example", firstName: "Ada", lastName: "Lovelace", status: "SUBSCRIBED" },
  ]);
});

test("a spreadsheet whose column Status has the tool's words, and one of which a column is left out", async () => {
  const [usual = "", mapped = ""] = commandsFor("a spreadsheet, or any other tool");
  const [, words = ""] = /also `(--map [^`]+)`/.exec(SECTION) ?? [];
  const [, without = ""] = /`(--map '[^`]+=')` leaves one out/.exec(SECTION) ?? [];
  const path = join(home, "files/people.csv");
  const peopleOf = (head: string): string =>
    `${head}\nin@sheet.example,Ada,Active,no\nout@sheet.example,Grace,Unsubscribed,no\n`;
  const moved = {
    "in@sheet.example": "SUBSCRIBED",
    "out@sheet.example": "UNSUBSCRIBED",
  };
  for (const [command, head] of [
    [`${usual} ${words}`, "Email,Name,Status,Disabled"],
    [`${mapped} ${words}`, "Contact,Called,Status,Disabled"],
  ] as const) {
    writeFileSync(path, peopleOf(head));
    expect(await typed(command)).toMatchObject({ code: 0, result: { errors: [] } });
    expect(await statuses()).toEqual(moved);
  }
  writeFileSync(path, "E-Mail;Vorname;Disabled\nthird@sheet.example;Linus;yes\n");
  expect(await typed(`${usual} ${without}`)).toMatchObject({ code: 0, result: { created: 1 } });
  expect(await json("export", "contacts")).toMatchObject([
    { email: "third@sheet.example", firstName: "Linus", status: "SUBSCRIBED" },
    { email: "out@sheet.example", firstName: "Grace" },
    { email: "in@sheet.example", firstName: "Ada" },
  ]);
});

test("the loop that takes the suppression list over loses nobody, whatever an address begins with", async () => {
  const operating = readFileSync(resolve(import.meta.dir, "../../../docs/operating.md"), "utf8");
  const [loop = ""] = /while read -r address reason;.* done/.exec(operating) ?? [];
  writeFileSync(join(home, "files/list"), "-dash@x.example MANUAL\nada@x.example COMPLAINT\n");
  expect(await inShell(`cat list | ${loop}`)).toMatchObject({ code: 0, err: "" });
  expect(await suppressed()).toEqual({ "-dash@x.example": "MANUAL", "ada@x.example": "COMPLAINT" });
});
