/** How long a client waits for its answers while something else runs. */
import type { Postrider } from "../processes/processes.ts";

const PAUSE_MS = 10;

/** The waits of each kind of request, in ms. */
export type Waits = Readonly<Record<ProbedRequest, number[]>>;
export type ProbedRequest = "GET /contacts" | "POST /events" | "POST /send";

/** Sends requests of each kind, one after the other, until `isOver`; the three kinds run side by side. */
export async function probe(server: Postrider, isOver: () => boolean): Promise<Waits> {
  const ask: Record<ProbedRequest, () => Promise<unknown>> = {
    "GET /contacts": () => server.call("GET", "/contacts?limit=20"),
    "POST /events": () => server.call("POST", "/events", { name: "seen", email: "probe@example.org" }),
    "POST /send": () =>
      server.call("POST", "/send", { to: "probe@example.org", subject: "Code", text: "1234" }),
  };
  const waits: Waits = { "GET /contacts": [], "POST /events": [], "POST /send": [] };
  const loop = async (kind: ProbedRequest): Promise<void> => {
    while (!isOver()) {
      const startedMs = performance.now();
      await ask[kind]();
      waits[kind].push(performance.now() - startedMs);
      await Bun.sleep(PAUSE_MS);
    }
  };
  await Promise.all((Object.keys(ask) as ProbedRequest[]).map(loop));
  return waits;
}

/** The wait that this share of the requests stayed below; with 1, the longest. */
export function waitAt(waits: readonly number[], share: number): number {
  const sorted = waits.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
}

export function forMs(ms: number): () => boolean {
  const until = performance.now() + ms;
  return () => performance.now() > until;
}
