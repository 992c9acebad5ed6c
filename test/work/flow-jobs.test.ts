import { afterEach, expect, test } from "bun:test";
import type { Flow } from "#automations/flow/flow.ts";
import { problemsOf } from "#automations/flow/problems.ts";
import { systemClock } from "#core/time/clock.ts";
import { workPool } from "#work/pool.ts";
import { SILENT_LOG } from "../support/common/silent-log.ts";

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

function pool() {
  const seen = { started: 0 };
  const startThread = (): Worker => {
    seen.started++;
    return new Worker(new URL("../../src/job-worker.ts", import.meta.url).href, { smol: true });
  };
  const work = workPool({ startThread, clock: systemClock, log: SILENT_LOG });
  stops.push(() => work.stop());
  return { work, seen };
}

/** One mail after the other, each with as much Liquid. */
function flowOf(mails: number, html: string): Flow {
  const nodes = [
    { id: "start", type: "trigger", data: { trigger: "new_subscriber" } },
    ...Array.from({ length: mails }, (_, i) => ({
      id: `mail${i}`,
      type: "action",
      data: { action: "send_email", subject: "Hello {{ contact.firstName }}", html },
    })),
  ];
  return { nodes, edges: nodes.slice(1).map(({ id }, i) => ({ source: nodes[i]!.id, target: id })) };
}

const KNOWN = {
  lists: new Set(["list_a"]),
  allowPrivateWebhooks: false,
  trackOpens: true,
  trackClicks: true,
  now: 0,
};
const HEAVY = flowOf(40, "{{ surname }}".repeat(450));

test("the problems of a flow with much Liquid are found in a thread, the same as in place", async () => {
  const { work, seen } = pool();
  const found = await work.run("ws_ada", "problems", { flow: HEAVY, known: KNOWN });
  expect(seen.started).toBe(1);
  expect(found).toEqual({ ok: true, value: problemsOf(HEAVY, KNOWN) });
  expect(found.ok && found.value).toHaveLength(40);
});

test("those of an ordinary flow are found in place", async () => {
  const { work, seen } = pool();
  const found = await work.run("ws_ada", "problems", { flow: flowOf(3, "Dear {{ surname }}"), known: KNOWN });
  expect(seen.started).toBe(0);
  expect(found.ok && found.value).toHaveLength(3);
});
