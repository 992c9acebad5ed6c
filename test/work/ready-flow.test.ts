import { expect, test } from "bun:test";
import { readyFlows } from "#automations/run/ready-flow.ts";
import type { Flow } from "#automations/flow/flow.ts";
import type { Work } from "#work/pool.ts";
import { manualClock } from "../support/common/manual-clock.ts";

const FLOW = {
  nodes: [
    { id: "mail", type: "action", data: { action: "send_email", subject: "Hi", mjml: "<mjml></mjml>" } },
  ],
  edges: [],
} as unknown as Flow;
const DUE = { number: 1, flowVersion: 1, workspaceId: "ws" };
const FULL = { ok: false, refusal: { code: "VALIDATION_ERROR", message: "full", isPassing: true } } as const;

/** The flows of an automation whose MJML is refused so often, each time for want of memory. */
function flowsRefused(times: number) {
  const clock = manualClock();
  let asked = 0;
  const work: Pick<Work, "run"> = {
    run: async () => (asked++ < times ? FULL : ({ ok: true, value: "<p>Hi</p>" } as never)),
  };
  const flows = readyFlows({ runs: { flow: async () => FLOW }, work, clock });
  return {
    /** The mail as it is kept in the end. */
    async mail() {
      for (let look = 0; look < 50; look++) {
        const ready = await flows.get(DUE).catch(() => null);
        if (ready !== null) return ready.compiled.get("mail");
        await new Promise(setImmediate);
        clock.advance(60_000);
      }
      throw new Error("it is never ready");
    },
  };
}

test("an automation's mail that was refused for want of memory is compiled again, and goes out", async () => {
  expect(await flowsRefused(1).mail()).toEqual({ html: "<p>Hi</p>" });
});

test("one that is refused again and again is at last kept with its problem: its runs must go on", async () => {
  expect(await flowsRefused(1_000).mail()).toEqual({ problem: expect.stringContaining("full") });
});
