/** Automations over the real engine: made over HTTP, moved by a clock the test holds. */
import type { JsonObject } from "#core/request/json-value.ts";
import type { TestApi } from "../server/api.ts";
import { edges, node } from "./flows.ts";
import type { ManualClock } from "../common/manual-clock.ts";
import { drivenUntil, numberIn } from "../sending/sending.ts";
import { writeTo } from "../server/services.ts";

export type WireFlow = { nodes: readonly object[]; edges: readonly object[] };

/** A chain of nodes behind a trigger: `in`, then the given ones in their order. */
export function chain(
  trigger: JsonObject,
  ...rest: readonly (readonly [string, string, JsonObject?])[]
): WireFlow {
  const nodes = [
    node("in", "trigger", trigger),
    ...rest.map(([id, type, data]) => node(id, type, data ?? {})),
  ];
  return { nodes, edges: edges(...nodes.slice(1).map(({ id }, index) => `${nodes[index]!.id}>${id}`)) };
}

/** POSTs an automation with this flow and sets it LIVE; returns its id. */
export async function live(api: TestApi, flowJson: WireFlow, name = "Welcome"): Promise<string> {
  const id = await draft(api, flowJson, name);
  const answer = await api.call("PATCH", `/automations/${id}`, { status: "LIVE" });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return id;
}

export async function draft(api: TestApi, flowJson: WireFlow, name = "Welcome"): Promise<string> {
  const { id } = (await api.call("POST", "/automations", { name })).body.data;
  const answer = await api.call("PATCH", `/automations/${id}`, { flowJson });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return id;
}

/** Counts runs that a test wrote by SQL, as if they had entered the nodes where they wait. */
export async function countRuns(api: TestApi): Promise<void> {
  await writeTo(api, "DELETE FROM automation_nodes");
  await writeTo(
    api,
    `INSERT INTO automation_nodes (automation, node, entered, completed, failed, removed)
     SELECT automation, node, count(*), 0, 0, 0 FROM enrollments GROUP BY automation, node`,
  );
}

export const enrollmentsOf = async (api: TestApi, id: string, query = ""): Promise<any[]> =>
  (await api.call("GET", `/automations/${id}/enrollments?limit=100${query}`)).body.data;

/** The flow of an automation, as the API has it. */
export const flowOf = async (api: TestApi, id: string): Promise<any> =>
  (await api.call("GET", `/automations/${id}/flow`)).body.data;

export const automationOf = async (api: TestApi, id: string): Promise<any> =>
  (await api.call("GET", `/automations/${id}`)).body.data;

/** Lets the clock run until the engine has handled every trigger, no run is due and no mail is owed. */
export async function settled(api: TestApi, clock: ManualClock): Promise<void> {
  // One statement: between two, a run may end that has just started another one.
  const busy = (): string => `SELECT
    (SELECT count(*) FROM automation_starts WHERE next_try_at <= ${clock.now()})
    + (SELECT count(*) FROM enrollments e JOIN automations a ON a.seq = e.automation
       WHERE e.status = 'ACTIVE' AND a.status = 'LIVE' AND e.next_run_at <= ${clock.now()})
    + (SELECT count(*) FROM deliveries d JOIN mailings m ON m.seq = d.mailing
       WHERE m.kind = 'automation' AND m.held = 0 AND m.phase = 'sending' AND d.state IN ('queued', 'dot') AND d.next_attempt_at IS NULL)`;
  await drivenUntil(clock, async () => (await numberIn(api, busy())) === 0);
}

/** Moves the clock forward in one jump, and lets everything that is due then happen. */
export async function pass(api: TestApi, clock: ManualClock, ms: number): Promise<void> {
  clock.advance(ms);
  await settled(api, clock);
}
