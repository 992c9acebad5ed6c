/** How long it takes from the answer to an event until the first step of the run that it started. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Postrider } from "../processes/processes.ts";

const FLOW = {
  nodes: [
    { id: "in", type: "trigger", data: { trigger: "custom_event", eventName: "first_step" } },
    { id: "tag", type: "action", data: { action: "add_tag", tag: "seen" } },
    { id: "wait", type: "wait", data: { amount: 30, unit: "days" } },
  ],
  edges: [
    { source: "in", target: "tag" },
    { source: "tag", target: "wait" },
  ],
};

/**
 * Milliseconds for each of so many events, one after the other, each of another contact. The database is read
 * directly, so that the look for the step is not a request to the server.
 */
export async function firstSteps(server: Postrider, count: number): Promise<number[]> {
  const { data } = await server.call("POST", "/automations", {});
  await server.call("PATCH", `/automations/${data.id}`, { flowJson: FLOW, status: "LIVE" });
  using database = new Database(join(server.dataDir, "postrider.db"), { readonly: true });
  const steps = database.query<{ n: number }, [string]>(
    `SELECT count(*) AS n FROM enrollments e JOIN automations a ON a.seq = e.automation
     WHERE a.id = ? AND e.node = 'wait'`,
  );
  const waits: number[] = [];
  for (let made = 0; made < count; made++) {
    const email = `step-${made}@example.org`;
    await server.call("POST", "/contacts", { email });
    await server.call("POST", "/events", { name: "first_step", email });
    const answeredMs = performance.now();
    while ((steps.get(data.id)?.n ?? 0) <= made) await Bun.sleep(0);
    waits.push(performance.now() - answeredMs);
  }
  return waits;
}
