/** The engine of automations over the stores of either database, without a server: people, flows and their runs. */
import type { Clock } from "#core/time/clock.ts";
import type { AutomationWrite } from "#automations/store.ts";
import { accept } from "#core/errors/errors.ts";
import type { Log } from "#log.ts";
import { automationWork } from "#automations/run/automation-work.ts";
import type { OwedCall } from "#automations/run/step/node-performance.ts";
import { readyFlows } from "#automations/run/ready-flow.ts";
import type { Slice } from "#automations/run/store.ts";
import { DEFAULT_SETTINGS, type Settings } from "#workspaces/settings/settings.ts";
import type { WireFlow } from "./automations.ts";
import { seededRandom } from "../common/dice.ts";
import type { OpenedEngine } from "../storage/engines.ts";

export const SENDER: Settings = {
  ...DEFAULT_SETTINGS,
  fromEmail: "news@sender.example",
  mailingAddress: "1 Road",
};

/** It continues until nothing is due, because nobody waits here. */
const UNHURRIED = { begin: () => () => false, rowsMax: 500 };
const CALLS_MAX = 10;

let ids = 0;

/**
 * The part of one server. `calls` is what its steps requested, `crashes` what they threw.
 *
 * @param settings a function is asked each time
 */
export function engineOf(
  { stores }: OpenedEngine,
  clock: Clock,
  settings: Settings | (() => Settings) = SENDER,
) {
  const { runs } = stores;
  const calls: OwedCall[] = [];
  const crashes: unknown[] = [];
  const log = {
    error: (_: string, about: { error?: unknown }) => void crashes.push(about.error),
  } as unknown as Log;
  const work = { run: () => Promise.reject(new Error("no MJML here")) };
  const random = seededRandom(7);
  const workOn = automationWork({
    runs,
    workspaces: { settings: async () => (typeof settings === "function" ? settings() : settings) },
    flows: readyFlows({ runs, work, clock }),
    calls: { free: () => CALLS_MAX - calls.length, start: (call) => void calls.push(call) },
    slices: { slice: (): Slice => ({ ...UNHURRIED, now: clock.now() }), pause: () => Promise.resolve() },
    clock,
    random,
    newId: (prefix) => `${prefix}_${++ids}`,
    wakeRuns() {},
    wakeSender: () => Promise.resolve(),
    log,
  });
  return {
    calls,
    crashes,
    /** Works until nothing is due. */
    async run(): Promise<void> {
      const spread = async () => {
        while ((await runs.spread({ ...UNHURRIED, now: clock.now() })) > 0);
        return await runs.due(clock.now());
      };
      for (let due = await spread(); due.length > 0; due = await spread())
        for (const automation of due) await workOn(automation);
    },
  };
}

/** What a test can read and make in `ws_one`. */
export function runGround({ stores: { automations }, run, values }: OpenedEngine) {
  let made = 0;
  const numberOf = async (sql: string): Promise<number> => Number((await values(sql))[0]);
  const change = (id: string, over: Partial<AutomationWrite>, at = 5) =>
    automations.change(
      "ws_one",
      id,
      ({ name, status }) => accept({ name, status, flow: undefined, ...over }),
      at,
    );

  return {
    numberOf,
    change,
    /** A LIVE automation. */
    async live(flow: WireFlow): Promise<{ id: string; number: number }> {
      const id = `aut_${++made}`;
      await automations.insert("ws_one", { id, name: id, flow: flow as never, createdAt: made });
      await change(id, { status: "LIVE" });
      return { id, number: await numberOf(`SELECT seq FROM automations WHERE id = '${id}'`) };
    },
    /** SUBSCRIBED people `PREFIX0`, `PREFIX1` …, by the numbers of their rows. */
    async people(prefix: string, n: number, workspace = 1): Promise<number[]> {
      const rows = Array.from(
        { length: n },
        (_, i) => `('${prefix}${i}', ${workspace}, '${prefix}${i}@example.com', '', '', 'SUBSCRIBED', '', 1)`,
      );
      await run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at) VALUES ${rows.join(", ")}`,
      );
      const seqs = await values(`SELECT seq FROM contacts WHERE email LIKE '${prefix}%' ORDER BY seq`);
      return seqs.map(Number);
    },
    /** A trigger for each of them. */
    async start(automation: number, people: readonly number[], kind = "new_subscriber", event = "NULL") {
      const rows = people.map((contact) => `(${automation}, ${contact}, '${kind}', '', ${event}, 0, 1, 1)`);
      await run(
        `INSERT INTO automation_starts (automation, contact, kind, detail, event, depth, created_at, next_try_at) VALUES ${rows.join(", ")}`,
      );
    },
    /** How many runs have each status. */
    async statuses(automation: number): Promise<Record<string, number>> {
      const found = await values(`SELECT status FROM enrollments WHERE automation = ${automation}`);
      return Object.fromEntries(
        [...Map.groupBy(found.map(String), (one) => one)].map(([k, v]) => [k, v.length]),
      );
    },
  };
}
