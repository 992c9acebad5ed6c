import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chain } from "../../../support/automations/automations.ts";
import { engineOf, runGround } from "../../../support/automations/engine-runs.ts";
import { NEW_SUBSCRIBER } from "../../../support/automations/flows.ts";
import { HOUR } from "../../../support/common/durations.ts";
import { manualClock, type ManualClock } from "../../../support/common/manual-clock.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";

const CALL = { action: "webhook", url: "https://example.com/hook" };

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`calls of automations on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let clock: ManualClock;
    let stores: OpenedEngine["stores"];
    let ground: ReturnType<typeof runGround>;

    beforeAll(async () => {
      clock = manualClock();
      opened = await openWithWorkspaces(engine, clock);
      ({ stores } = opened);
      ground = runGround(opened);
    });
    afterAll(() => opened.close());

    test("the three days of a call are the days in which it was tried", async () => {
      const { number } = await ground.live(chain(NEW_SUBSCRIBER, ["hook", "action", CALL], ["out", "end"]));
      await ground.start(number, await ground.people("hooked", 1));
      const { run, calls } = engineOf(opened, clock);
      await run();
      const at = clock.now() + HOUR;
      await stores.runs.settleCall(calls[0]!, { kind: "later", at, problem: "busy" }, clock.now());
      clock.advance(97 * HOUR);
      await run();
      expect(calls[1]!.attempts).toBe(1);
      expect(clock.now() - calls[1]!.firstAttemptAt).toBe(HOUR);
      clock.advance(HOUR);
      await run();
      expect(clock.now() - calls[2]!.firstAttemptAt).toBeLessThan(3 * HOUR);
      await stores.runs.settleCall(calls[2]!, { kind: "done" }, clock.now());
    });

    test("a call is owed once, as many as may be made, and its end moves the run", async () => {
      const { id, number } = await ground.live(
        chain(NEW_SUBSCRIBER, ["hook", "action", CALL], ["out", "end"]),
      );
      await ground.start(number, await ground.people("call", 14));
      const { run, calls } = engineOf(opened, clock);
      await run();
      expect(calls).toHaveLength(10);
      expect(new Set(calls.map(({ call }) => call.messageId)).size).toBe(10);
      const [done, failed, later] = calls;
      const now = clock.now();
      await stores.runs.settleCall(done!, { kind: "done" }, now);
      await stores.runs.settleCall(failed!, { kind: "fail", errorMessage: "gone" }, now);
      await stores.runs.settleCall(later!, { kind: "later", at: now + 90_000, problem: "busy" }, now);
      expect(await stores.automations.troubles("ws_one", id)).toEqual([
        { at: "step", nodeId: "hook", count: 1, problem: "busy" },
      ]);
      await run();
      expect(await ground.statuses(number)).toEqual({ ACTIVE: 12, COMPLETED: 1, FAILED: 1 });
      // The same end again, and one that comes when the run is over, change nothing.
      await stores.runs.settleCall(done!, { kind: "fail", errorMessage: "again" }, now);
      await stores.runs.settleCall({ ...later!, steps: 9 }, { kind: "fail", errorMessage: "old" }, now);
      expect(await ground.statuses(number)).toEqual({ ACTIVE: 12, COMPLETED: 1, FAILED: 1 });
      expect((await stores.automations.nodeFigures("ws_one", id))!.get("hook")).toMatchObject({
        entered: 14,
        completed: 1,
        failed: 1,
        waiting: 12,
      });
    });

    test("a call that ends after the flow was changed leads on by the flow of now", async () => {
      const hook = ["hook", "action", CALL] as const;
      const out = (id: string) => chain(NEW_SUBSCRIBER, hook, [id, "action", { action: "add_tag", tag: id }]);
      const { id, number } = await ground.live(out("old"));
      await ground.start(number, await ground.people("edited", 1));
      const { run, calls } = engineOf(opened, clock);
      await run();
      await ground.change(id, { flow: out("new") as never });
      await stores.runs.settleCall(calls[0]!, { kind: "done" }, clock.now());
      await run();
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 1 });
      expect((await stores.contacts.find("ws_one", "edited0"))!.tags).toEqual(["new"]);
      const figures = (await stores.automations.nodeFigures("ws_one", id))!;
      expect(figures.get("new")).toMatchObject({ entered: 1, completed: 1 });
    });

    test("a call that ends after the automation was deleted ends no run", async () => {
      const { id, number } = await ground.live(chain(NEW_SUBSCRIBER, ["hook", "action", CALL]));
      await ground.start(number, await ground.people("late", 2));
      const { run, calls } = engineOf(opened, clock);
      await run();
      await stores.automations.delete("ws_one", id, 5);
      await stores.runs.settleCall(calls[0]!, { kind: "done" }, clock.now());
      await stores.runs.settleCall(calls[1]!, { kind: "fail", errorMessage: "gone" }, clock.now());
      expect(await ground.statuses(number)).toEqual({ ACTIVE: 2 });
      while (await stores.runs.clearDeleted(10));
      expect(await ground.statuses(number)).toEqual({});
    });
  });
}
