/** A clock that was wrong for a while, and automations. The clock of a restart: `restart.test.ts`. */
import { expect, test } from "bun:test";
import { chain, enrollmentsOf, live } from "../../support/automations/automations.ts";
import { HELLO } from "../../support/automations/flows.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { startApi } from "../../support/server/api.ts";
import { driven, drivenUntil, SENDER } from "../../support/sending/sending.ts";
import { DAY, MINUTE } from "../../support/common/durations.ts";

test("a step that is tried again goes on when the clock is set back, without a restart", async () => {
  const held = manualClock();
  let aheadMs = 365 * DAY;
  const clock = { ...held, now: () => held.now() + aheadMs };
  const api = await startApi({ clock });
  try {
    const flow = chain({ trigger: "tag_added", tag: "x" }, ["mail", "action", HELLO], ["end", "end"]);
    const id = await live(api, flow);
    await api.call("POST", "/contacts", { email: "a@example.com", tags: ["x"] });
    const runNow = async () => (await enrollmentsOf(api, id))[0];
    // There is no mailing address yet: it is tried again in a minute.
    await drivenUntil(clock, async () => (await runNow())?.currentNodeId === "mail");
    aheadMs = 0;
    const rightAt = clock.now();
    await driven(clock, api.services.workspaces.changeSettings(api.workspaceId, SENDER));
    await drivenUntil(
      clock,
      async () => clock.now() > rightAt + 10 * MINUTE || (await runNow()).status !== "ACTIVE",
      500,
    );
    expect(await runNow()).toMatchObject({ status: "COMPLETED" });
  } finally {
    await driven(clock, api.stop({ graceMs: 0 }), 1_000);
  }
});
