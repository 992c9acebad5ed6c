/** Sends one campaign by a server that is killed again and again, and counts what happened to every recipient. */
import type { Subprocess } from "bun";
import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startApi, type Home } from "../server/api.ts";
import { dice } from "../common/dice.ts";
import { ledgerFaults } from "../storage/ledger-check.ts";
import { scriptedSmtp, type ScriptedSmtp } from "../sending/scripted-smtp.ts";
import type { Script } from "../sending/smtp-script.ts";
import { makeCampaign, makeLongList, SENDER } from "../sending/sending.ts";

export type RunOptions = {
  readonly recipients: number;
  readonly connections: number;
  /** The same seed chooses the same moments. */
  readonly seed: number;
  /**
   * The audience is a segment with everybody, without a list that has every tenth. Once the plan was interrupted
   * for the first time, nobody is in either any more.
   */
  readonly bySegment?: boolean;
  /**
   * Every third recipient is in a domain with limits, every third in one that says at random that mail comes too
   * fast.
   */
  readonly byDomain?: boolean;
  /** How many threads hold the conversations with the relay; none if not given. */
  readonly threads?: number;
  /** The probability with which a thread ends itself at one of its orders. */
  readonly crashes?: number;
  /** Records everything only after the reply: the control that must find duplicates. */
  readonly recordLate?: boolean;
};

type KillRunOptions = RunOptions & {
  readonly kills: number;
  /** How many kills fall into the planning, as long as it lasts. */
  readonly planningKills?: number;
};

export type KillFigures = {
  kills: number;
  killsByPhase: Record<string, number>;
  accepted: number;
  sent: number;
  uncertain: number;
  skipped: number;
  /** Messages the relay took for one row beyond the first. */
  duplicates: number;
  /** Rows marked sent that the relay never took, and rows neither final nor owed. */
  lost: number;
  /** The most rows that one kill left uncertain. */
  uncertainInOneKill: number;
  ledgerFaults: string[];
  /** How many messages the relay had taken for the limited domain when the kills were over, and how many were counted. */
  limits: { sent: number; counted: number } | null;
  seconds: number;
};

/** About how long a server takes to start. */
const START_MS = 300;

const PLANNING_KILLS = 6;

export async function killRun(options: KillRunOptions): Promise<KillFigures> {
  const startedAt = performance.now();
  return await withCampaign(options, async (given) => {
    const run = { ...given, options };
    const killsByPhase: Record<string, number> = {};
    let uncertainInOneKill = 0;
    let uncertain = 0;
    for (let kill = 0; kill < options.kills; kill++) {
      const phase = await runAndKill(run, options.kills - kill);
      killsByPhase[phase] = (killsByPhase[phase] ?? 0) + 1;
      if (options.bySegment && count(run.database, "1") > 0) emptyAudience(run.database);
      const now = count(run.database, "state = 'dot' OR state = 'uncertain'");
      uncertainInOneKill = Math.max(uncertainInOneKill, now - uncertain);
      uncertain = now;
    }
    const limits = options.byDomain ? limitsKept(run) : null;
    run.calm();
    await runToTheEnd(run);
    const figures = { ...audit(run), limits };
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    return { kills: options.kills, killsByPhase, uncertainInOneKill, ...figures, seconds };
  });
}

/** A campaign that no server has begun to send, and a relay for it; both are gone afterwards. */
export async function withCampaign<T>(options: RunOptions, work: (run: Run) => Promise<T>): Promise<T> {
  const random = dice(options.seed).fraction;
  let isCalm = false;
  // Answers to the dot come a little late, so that kills fall between a dot and its answer.
  const on: Script = {
    DOT: () => ({ reply: "250 2.0.0 Queued", and: "go on", after: Bun.sleep(1 + random() * 3) }),
    RCPT: ({ rcptTo }) =>
      !isCalm && rcptTo[0]?.endsWith(`@${THROTTLED}`) && random() < 0.05 ? TOO_MANY : undefined,
  };
  const relay = scriptedSmtp({ on });
  const campaign = await prepare(options);
  const database = new Database(join(campaign.dataDir, "postrider.db"));
  try {
    const calm = (): void => {
      isCalm = true;
      database.run("DELETE FROM settings WHERE key = 'domainLimits'");
    };
    return await work({ options, random, relay, campaign, database, calm });
  } finally {
    database.close();
    relay.stop();
    rmSync(campaign.dataDir, { recursive: true });
  }
}

const THROTTLED = "throttled.example";
const TOO_MANY = "421 4.7.0 Too many messages from you";
const LIMITED = "limited.example";
/** A low limit, so that it is reached long before the last kill. */
export const LIMIT_PER_HOUR = 60;

type Campaign = Pick<Home, "dataDir" | "workspaceId" | "key"> & { readonly campaignId: string };
export type Run = {
  readonly options: RunOptions;
  readonly random: () => number;
  readonly relay: ScriptedSmtp;
  readonly campaign: Campaign;
  readonly database: Database;
  /** Removes all limits of domains, and stops their complaints. */
  calm(): void;
};

async function prepare({ recipients, bySegment, byDomain }: RunOptions): Promise<Campaign> {
  const api = await startApi();
  await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
  const listId = await makeLongList(api, recipients);
  const campaignId = await makeCampaign(api, bySegment ? null : listId);
  if (byDomain) {
    await api.call("PATCH", "/settings", {
      domainLimits: { [LIMITED]: { perHour: LIMIT_PER_HOUR, connections: 3 } },
    });
    api.services.database.sqlite.run(
      `UPDATE contacts SET email = replace(email, 'example.com', CASE seq % 3 WHEN 1 THEN '${LIMITED}' WHEN 2 THEN '${THROTTLED}' ELSE 'example.com' END)`,
    );
  }
  if (bySegment) {
    const rules = { field: "email", op: "exists" };
    const segment = await api.call("POST", "/segments", { name: "Everybody", rules });
    const options = { segmentId: segment.body.data.id, excludeListIds: [listId] };
    await api.call("PATCH", `/campaigns/${campaignId}/options`, options);
    api.services.database.sqlite.run("DELETE FROM list_members WHERE contact % 10 <> 0");
  }
  await api.stop({ keep: true });
  const { dataDir, workspaceId, key } = api;
  return { dataDir, workspaceId, key, campaignId };
}

function emptyAudience(database: Database): void {
  const rules = JSON.stringify({ field: "email", op: "notExists" });
  database.query("UPDATE segments SET rules = ?").run(rules);
  database.run("DELETE FROM list_members");
}

export function startServer({ options, relay, campaign }: Run) {
  const script = join(import.meta.dir, "server-child.ts");
  const { dataDir, workspaceId, campaignId } = campaign;
  const url = `${relay.url}?maxConnections=${options.connections}`;
  const args = ["--data", dataDir, "--relay", url, "--workspace", workspaceId, "--campaign", campaignId];
  if (options.recordLate) args.push("--record-late");
  args.push("--threads", String(options.threads ?? 0));
  if (options.crashes !== undefined) args.push("--crashes", String(options.crashes));
  return Bun.spawn([process.execPath, script, ...args], { stdout: "pipe", stderr: "inherit" });
}

function limitsKept({ relay, database }: Run): { sent: number; counted: number } {
  const counted = database.query<{ n: number }, []>("SELECT coalesce(sum(n), 0) AS n FROM domain_sends");
  return {
    sent: relay.accepted.filter(({ rcptTo }) => rcptTo[0]?.endsWith(`@${LIMITED}`)).length,
    counted: counted.get()!.n,
  };
}

type KillRun = Run & { readonly options: KillRunOptions };

/**
 * Kills in the middle of planning at first, later after some more messages. Every third kill comes after some
 * milliseconds instead, so that some hit the start-up.
 */
async function runAndKill(run: KillRun, killsLeft: number): Promise<string> {
  const { options, random, relay, database } = run;
  const server = startServer(run);
  const isReady = printedSomething(server.stdout);
  const planned = () => count(database, "1");
  const before = planned();
  const share = (options.recipients - relay.accepted.length) / (killsLeft + 2);
  const target = relay.accepted.length + Math.floor(random() * 2 * share);
  const after =
    (ms: number, since = performance.now()) =>
    () =>
      performance.now() - since > ms;
  const isEarly = options.kills - killsLeft < (options.planningKills ?? PLANNING_KILLS);
  const isTime =
    before < options.recipients && isEarly
      ? () => planned() > before
      : killsLeft % 3 === 0
        ? after(random() * START_MS * 2)
        : () => relay.accepted.length > target;
  // Counted from when it sends: on a busy machine it may take long until then.
  let isLate: (() => boolean) | null = null;
  while (!isTime() && isLate?.() !== true) {
    if (isLate === null && isReady()) isLate = after(10 * START_MS);
    await Bun.sleep(0);
  }
  const phase = planned() < options.recipients ? "planning" : isReady() ? "sending" : "start-up";
  server.kill("SIGKILL");
  await server.exited;
  return phase;
}

function printedSomething(stdout: ReadableStream<Uint8Array>): () => boolean {
  let printed = false;
  void stdout
    .getReader()
    .read()
    .then(({ value }) => (printed = value !== undefined));
  return () => printed;
}

/** A run must not wait without end for a server that could not start. */
export function throwIfEnded({ exitCode }: Subprocess): void {
  if (exitCode !== null) throw new Error(`the server ended by itself, with exit code ${exitCode}`);
}

export async function runToTheEnd(run: Run): Promise<void> {
  const server = startServer(run);
  const isSent = run.database.query<{ status: string }, []>("SELECT status FROM campaigns");
  while (isSent.get()!.status !== "SENT") {
    throwIfEnded(server);
    await Bun.sleep(20);
  }
  server.kill("SIGKILL");
  await server.exited;
}

export const count = (database: Database, where: string): number =>
  database.query<{ n: number }, []>(`SELECT count(*) AS n FROM deliveries WHERE ${where}`).get()!.n;

/** The relay's record joined with the ledger. */
export function audit({ database, relay }: Pick<Run, "database" | "relay">) {
  const taken = new Map<string, number>();
  for (const address of relay.accepted.flatMap(({ rcptTo }) => rcptTo))
    taken.set(address, (taken.get(address) ?? 0) + 1);
  const rows = database
    .query<{ address: string; state: string }, []>("SELECT address, state FROM deliveries")
    .all();
  const sent = rows.filter(({ state }) => state === "sent");
  const unsettled = rows.filter(
    ({ state }) => !["sent", "bounced", "failed", "uncertain", "skipped"].includes(state),
  );
  return {
    accepted: relay.accepted.length,
    sent: sent.length,
    uncertain: rows.filter(({ state }) => state === "uncertain").length,
    skipped: rows.filter(({ state }) => state === "skipped").length,
    duplicates: [...taken.values()].reduce((sum, times) => sum + times - 1, 0),
    lost: sent.filter(({ address }) => !taken.has(address)).length + unsettled.length,
    ledgerFaults: ledgerFaults(database),
  };
}
