/** Runs automations on a server that is killed again and again, and counts what became of every step. */
import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startApi } from "../server/api.ts";
import { chain, live } from "../automations/automations.ts";
import { edges, node } from "../automations/flows.ts";
import { ledgerFaults } from "../storage/ledger-check.ts";
import { scriptedSmtp, type ScriptedSmtp } from "../sending/scripted-smtp.ts";
import { SENDER } from "../sending/sending.ts";

export type AutomationKillOptions = {
  readonly contacts: number;
  readonly kills: number;
  random(): number;
  /** Nothing is committed before the dot: the control that must find mail twice. */
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
  const dataDir = await prepare();
  const database = new Database(join(dataDir, "postrider.db"));
  try {
    const base = Date.now();
    addContacts(database, options.contacts);
    let killsUnderWay = 0;
    for (let kill = 0; kill < options.kills; kill++) {
      // Contacts enter before every start, so however slow the machine is, each kill finds runs under way.
      const upTo = (n: number): number => Math.ceil((options.contacts * n) / options.kills);
      enter(database, upTo(kill), upTo(kill + 1), base);
      const server = start(dataDir, relay, base, options.recordLate);
      await server.stdout.getReader().read();
      const share = (options.contacts * MAILS.length - relay.accepted.length) / (options.kills - kill);
      await killMoment(relay, kill % 3 === 0 ? null : options.random() * 2 * share, options.random() * 300);
      if (count(database, "enrollments WHERE status = 'ACTIVE'") > 0) killsUnderWay++;
      server.kill("SIGKILL");
      await server.exited;
    }
    await toTheEnd(start(dataDir, relay, base), database, options.contacts);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    return { kills: options.kills, killsUnderWay, ...audit(database, relay, options.contacts), seconds };
  } finally {
    database.close();
    relay.stop();
    rmSync(dataDir, { recursive: true });
  }
}

/** When nothing more is due, nobody waits for mail any longer. */
const NO_MORE_MAIL_MS = 3_000;

/**
 * Resolves when it is time to kill: after so many more messages, for then others are at their dot, or, with
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
async function prepare(): Promise<string> {
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
  api.services.database.sqlite.exec(`
    CREATE TABLE step_numbers (n INTEGER PRIMARY KEY);
    INSERT INTO step_numbers SELECT value FROM json_each('[0,1,2,3,4,5,6,7,8,9]');
    CREATE TABLE moves (enrollment INTEGER, steps INTEGER);
    CREATE TRIGGER moved AFTER UPDATE OF steps ON enrollments WHEN new.steps <> old.steps BEGIN
      INSERT INTO moves SELECT old.seq, n FROM step_numbers WHERE n >= min(old.steps, new.steps) AND n < max(old.steps, new.steps);
    END;
    CREATE TABLE changes (contact INTEGER, what TEXT);
    CREATE TRIGGER tagged AFTER UPDATE OF tags ON contacts BEGIN INSERT INTO changes VALUES (old.seq, 'tag'); END;
    CREATE TRIGGER named AFTER UPDATE OF first_name ON contacts BEGIN INSERT INTO changes VALUES (old.seq, 'name'); END`);
  await api.stop({ keep: true });
  return api.dataDir;
}

function addContacts(database: Database, contacts: number): void {
  database.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${contacts})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_' || i, 1, 'reader-' || i || '@example.com', '', '', 'SUBSCRIBED', 'reader-' || i, 0 FROM n`,
  );
}

/** Lets the contacts after number `after` up to number `upTo` enter. */
function enter(database: Database, after: number, upTo: number, base: number): void {
  database.exec(
    `INSERT INTO automation_starts (automation, contact, kind, detail, depth, created_at, next_try_at)
     SELECT 1, seq, 'new_subscriber', '', 0, ${base}, ${base} FROM contacts WHERE seq > ${after} AND seq <= ${upTo}`,
  );
}

function start(dataDir: string, relay: ScriptedSmtp, base: number, recordLate = false) {
  const script = join(import.meta.dir, "automation-child.ts");
  const args = ["--data", dataDir, "--relay", `${relay.url}?maxConnections=10`, "--base", String(base)];
  if (recordLate) args.push("--record-late");
  return Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" });
}

async function toTheEnd(
  server: ReturnType<typeof start>,
  database: Database,
  contacts: number,
): Promise<void> {
  const isOver = () =>
    count(database, "enrollments WHERE status = 'COMPLETED'") === 2 * contacts &&
    count(database, "deliveries WHERE state IN ('queued', 'dot')") === 0;
  while (!isOver()) await Bun.sleep(20);
  server.kill("SIGKILL");
  await server.exited;
}

const count = (database: Database, what: string): number =>
  database.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${what}`).get()!.n;

/** Nodes that are left behind; the last one of a run leads nowhere. */
const MOVES_A_CONTACT = 8;
/** A name and a tag. */
const CHANGES_A_CONTACT = 2;

function audit(database: Database, relay: ScriptedSmtp, contacts: number) {
  const taken = new Map<string, number>();
  for (const { rcptTo, raw } of relay.accepted) {
    const key = `${rcptTo.join()} ${/^Subject: (.*)\r$/m.exec(raw)?.[1]}`;
    taken.set(key, (taken.get(key) ?? 0) + 1);
  }
  const rows = database
    .query<{ address: string; state: string; subject: string }, []>(
      `SELECT d.address, d.state, json_extract(c.content, '$.subject') AS subject FROM deliveries d JOIN mailing_contents c ON c.mailing = d.mailing`,
    )
    .all();
  const sent = rows.filter(({ state }) => state === "sent");
  const uncertain = rows.filter(({ state }) => state === "uncertain").length;
  return {
    accepted: relay.accepted.length,
    uncertain,
    mailedTwice: [...taken.values()].reduce((sum, times) => sum + times - 1, 0),
    stepsTwice:
      count(database, "(SELECT 1 FROM moves GROUP BY enrollment, steps HAVING count(*) > 1)") +
      count(database, "(SELECT 1 FROM changes GROUP BY contact, what HAVING count(*) > 1)"),
    stepsMissing:
      contacts * MOVES_A_CONTACT -
      count(database, "moves") +
      contacts * CHANGES_A_CONTACT -
      count(database, "changes"),
    notCompleted: 2 * contacts - count(database, "enrollments WHERE status = 'COMPLETED'"),
    mailsLost:
      contacts * MAILS.length -
      sent.length -
      uncertain +
      sent.filter(({ address, subject }) => !taken.has(`${address} ${subject}`)).length,
    ledgerFaults: ledgerFaults(database),
  };
}
