/** Runs automations on a server that is killed again and again, and counts what happened to every step. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startApi, type TestApi } from "../server/api.ts";
import { dataOf, type Data } from "../server/data-of.ts";
import { isPostgres, writeTo, type Place } from "../server/services.ts";
import { chain, live } from "../automations/automations.ts";
import { edges, node } from "../automations/flows.ts";
import { trap } from "../storage/traps.ts";
import { scriptedSmtp, type ScriptedSmtp } from "../sending/scripted-smtp.ts";
import { SENDER } from "../sending/sending.ts";

export type AutomationKillOptions = {
  readonly contacts: number;
  readonly kills: number;
  random(): number;
  /** Nothing is committed before the dot: the control that must find mail twice. It ends once it has. */
  readonly recordLate?: boolean;
};

export type AutomationKillFigures = {
  kills: number;
  /** Kills that fell while runs were on their way. */
  killsUnderWay: number;
  accepted: number;
  uncertain: number;
  /** Mails the relay took for one contact and subject beyond the first. */
  mailedTwice: number;
  /** Nodes of a run that were performed twice, and that were not at all. */
  stepsTwice: number;
  stepsMissing: number;
  notCompleted: number;
  /** Mails neither taken by the relay nor uncertain. */
  mailsLost: number;
  ledgerFaults: string[];
  seconds: number;
};

const MAILS = ["One", "Two", "Three"];

export async function automationKillRun(options: AutomationKillOptions): Promise<AutomationKillFigures> {
  const startedAt = performance.now();
  const on = {
    DOT: () =>
      ({ reply: "250 2.0.0 Queued", and: "go on", after: Bun.sleep(1 + options.random() * 3) }) as const,
  };
  const relay = scriptedSmtp({ on });
  const { dataDir, place } = await prepare();
  const database = await dataOf(dataDir);
  const base = Date.now();
  const start = (recordLate = false) => serverOf({ dataDir, url: place.url, relay, base, recordLate });
  try {
    await addContacts(database, options.contacts);
    let killsUnderWay = 0;
    let kills = 0;
    const isFound = () => options.recordLate === true && mailedTwice(takenOf(relay)) > 0;
    while (kills < options.kills && !isFound()) {
      // Contacts enter before every start, so however slow the machine is, each kill finds runs under way.
      const upTo = (n: number): number => Math.ceil((options.contacts * n) / options.kills);
      await enter(database, upTo(kills), upTo(kills + 1), base);
      const server = start(options.recordLate);
      await server.stdout.getReader().read();
      // Less than what is owed on average: were it more, the kill would often come when everything has gone out.
      const share = (options.contacts * MAILS.length - relay.accepted.length) / (options.kills - kills);
      await killMoment(relay, kills % 3 === 0 ? null : options.random() * share, options.random() * 300);
      if (database.count("enrollments WHERE status = 'ACTIVE'") > 0) killsUnderWay++;
      server.kill("SIGKILL");
      await server.exited;
      kills++;
    }
    if (!isFound()) await toTheEnd(start, database, options.contacts);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const figures = await audit(database, relay, options.contacts);
    return { kills, killsUnderWay, ...figures, seconds };
  } finally {
    await database.close();
    relay.stop();
    await place.drop();
    rmSync(dataDir, { recursive: true });
  }
}

/** The kill comes after this time at the latest: when nothing more is due, no more messages come. */
const NO_MORE_MAIL_MS = 3_000;

/**
 * Resolves when it is time to kill: after so many more messages, because then others are at their dot; or, with
 * null, after so many milliseconds.
 */
async function killMoment(relay: ScriptedSmtp, messages: number | null, ms: number): Promise<void> {
  const from = performance.now();
  const target = relay.accepted.length + (messages ?? 0);
  const isTime =
    messages === null ? () => performance.now() - from > ms : () => relay.accepted.length > target;
  while (!isTime() && performance.now() - from < NO_MORE_MAIL_MS) await Bun.sleep(0);
}

/**
 * Makes two automations; the first starts the second by a tag. Triggers in the database record every step of
 * a run, and every change that a step makes to a contact. One write can advance a run by several steps.
 */
async function prepare(): Promise<TestApi> {
  const api = await startApi();
  await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
  const mail = (subject: string) => ({
    action: "send_email",
    subject,
    html: "<p>{{ contact.firstName }}</p>",
  });
  await live(api, {
    nodes: [
      node("in", "trigger", { trigger: "new_subscriber" }),
      node("name", "action", { action: "set_field", field: "firstName", value: "Reader" }),
      node("one", "action", mail("One")),
      node("wait", "wait", { amount: 1, unit: "minutes" }),
      node("if", "condition", { all: [{ field: "firstName", op: "equals", value: "reader" }] }),
      node("tag", "action", { action: "add_tag", tag: "second" }),
      node("two", "action", mail("Two")),
      node("out", "end"),
    ],
    edges: edges("in>name", "name>one", "one>wait", "wait>if", "if>tag true", "tag>two", "two>out"),
  });
  await live(api, chain({ trigger: "tag_added", tag: "second" }, ["three", "action", mail("Three")]));
  await recordMoves(api);
  await api.stop({ keep: true });
  return api;
}

async function recordMoves(api: TestApi): Promise<void> {
  await writeTo(api, "CREATE TABLE step_numbers (n INTEGER PRIMARY KEY)");
  await writeTo(api, "INSERT INTO step_numbers VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
  await writeTo(api, "CREATE TABLE moves (enrollment INTEGER, steps INTEGER)");
  const [first, end] = isPostgres
    ? ["least(old.steps, new.steps)", "greatest(old.steps, new.steps)"]
    : ["min(old.steps, new.steps)", "max(old.steps, new.steps)"];
  await trap(api, {
    at: "AFTER UPDATE OF steps ON enrollments",
    only: "new.steps <> old.steps",
    act: `INSERT INTO moves SELECT old.seq, n FROM step_numbers WHERE n >= ${first} AND n < ${end}`,
  });
  await writeTo(api, "CREATE TABLE changes (contact INTEGER, what TEXT)");
  for (const what of ["tags", "first_name"])
    await trap(api, {
      at: `AFTER UPDATE OF ${what} ON contacts`,
      // PostgreSQL's stores write all that a contact has at once.
      ...(isPostgres && { only: `new.${what} <> old.${what}` }),
      act: `INSERT INTO changes VALUES (old.seq, '${what}')`,
    });
}

const addContacts = (database: Data, contacts: number): Promise<void> =>
  database.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${contacts})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_' || i, 1, 'reader-' || i || '@example.com', '', '', 'SUBSCRIBED', 'reader-' || i, 0 FROM n`,
  );

/** Lets the contacts after number `after` up to number `upTo` enter. */
const enter = (database: Data, after: number, upTo: number, base: number): Promise<void> =>
  database.run(
    `INSERT INTO automation_starts (automation, contact, kind, detail, depth, created_at, next_try_at)
     SELECT 1, seq, 'new_subscriber', '', 0, ${base}, ${base} FROM contacts WHERE seq > ${after} AND seq <= ${upTo}`,
  );

type Given = Pick<Place, "url"> & {
  readonly dataDir: string;
  readonly relay: ScriptedSmtp;
  readonly base: number;
  readonly recordLate: boolean;
};

function serverOf({ dataDir, url, relay, base, recordLate }: Given) {
  const script = join(import.meta.dir, "automation-child.ts");
  const args = ["--data", dataDir, "--relay", `${relay.url}?maxConnections=10`, "--base", String(base)];
  if (url !== null) args.push("--database", url);
  if (recordLate) args.push("--record-late");
  return Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" });
}

async function toTheEnd(
  start: () => ReturnType<typeof serverOf>,
  database: Data,
  contacts: number,
): Promise<void> {
  let server = start();
  const isOver = () =>
    database.count("enrollments WHERE status = 'COMPLETED'") === 2 * contacts &&
    database.count("deliveries WHERE state IN ('queued', 'dot')") === 0;
  while (!isOver()) {
    // A node that lost its lease ends by itself.
    if (server.exitCode !== null) server = start();
    await Bun.sleep(20);
  }
  server.kill("SIGKILL");
  await server.exited;
}

/** Nodes that a run leaves; the last one leads nowhere. */
const MOVES_A_CONTACT = 8;
/** A name and a tag. */
const CHANGES_A_CONTACT = 2;

/** How often the relay has taken a mail, by its address and subject. */
function takenOf(relay: ScriptedSmtp): ReadonlyMap<string, number> {
  const taken = new Map<string, number>();
  for (const { rcptTo, raw } of relay.accepted) {
    const key = `${rcptTo.join()} ${/^Subject: (.*)\r$/m.exec(raw)?.[1]}`;
    taken.set(key, (taken.get(key) ?? 0) + 1);
  }
  return taken;
}

const mailedTwice = (taken: ReadonlyMap<string, number>): number =>
  [...taken.values()].reduce((sum, times) => sum + times - 1, 0);

async function audit(database: Data, relay: ScriptedSmtp, contacts: number) {
  const taken = takenOf(relay);
  const rows = database
    .rows<{ address: string; state: string; content: string }>(
      "SELECT d.address, d.state, c.content FROM deliveries d JOIN mailing_contents c ON c.mailing = d.mailing",
    )
    .map(({ content, ...row }) => ({ ...row, subject: JSON.parse(content).subject as string }));
  const sent = rows.filter(({ state }) => state === "sent");
  const uncertain = rows.filter(({ state }) => state === "uncertain").length;
  return {
    accepted: relay.accepted.length,
    uncertain,
    mailedTwice: mailedTwice(taken),
    stepsTwice:
      database.count("(SELECT 1 FROM moves GROUP BY enrollment, steps HAVING count(*) > 1) AS twice") +
      database.count("(SELECT 1 FROM changes GROUP BY contact, what HAVING count(*) > 1) AS twice"),
    stepsMissing:
      contacts * MOVES_A_CONTACT -
      database.count("moves") +
      contacts * CHANGES_A_CONTACT -
      database.count("changes"),
    notCompleted: 2 * contacts - database.count("enrollments WHERE status = 'COMPLETED'"),
    mailsLost:
      contacts * MAILS.length -
      sent.length -
      uncertain +
      sent.filter(({ address, subject }) => !taken.has(`${address} ${subject}`)).length,
    ledgerFaults: await database.ledgerFaults(),
  };
}
