import { compileMjml } from "#mail/mjml.ts";
import type { Flow } from "./flow.ts";
import { readNode } from "./node.ts";
import type { DueAutomation, RunStore } from "./run-store.ts";
import type { ReadyFlow } from "./turn.ts";

const KEPT_MAX = 200;

/** Flows made ready to run, the latest kept by version: reading and compiling them costs more than a step. */
export function readyFlows(runs: Pick<RunStore, "flow">) {
  const kept = new Map<string, ReadyFlow>();
  return {
    async get({ number, flowVersion }: Pick<DueAutomation, "number" | "flowVersion">): Promise<ReadyFlow> {
      const key = `${number} ${flowVersion}`;
      const known = kept.get(key) ?? (await readyFlow(await runs.flow(number)));
      kept.delete(key);
      kept.set(key, known);
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT_MAX) break;
        kept.delete(oldest);
      }
      return known;
    },
  };
}

/** A flow with every mail that is written in MJML compiled. */
export async function readyFlow(flow: Flow): Promise<ReadyFlow> {
  const compiled = new Map<string, { html: string } | { problem: string }>();
  for (const node of flow.nodes) {
    const reading = readNode(node);
    if (!reading.ok || reading.value.type !== "action" || reading.value.action.action !== "send_email")
      continue;
    const { body } = reading.value.action;
    if (body.kind === "mjml") compiled.set(node.id, await compile(body.source));
  }
  return { flow, compiled, mails: new Map() };
}

async function compile(source: string): Promise<{ html: string } | { problem: string }> {
  try {
    return { html: await compileMjml(source) };
  } catch (error) {
    return { problem: `The MJML cannot be used: ${error instanceof Error ? error.message : String(error)}` };
  }
}
