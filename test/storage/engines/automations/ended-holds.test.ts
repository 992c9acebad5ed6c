import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Log } from "#log.ts";
import { endedHolds } from "#automations/run/ended-holds.ts";
import type { RunStore } from "#automations/run/store.ts";
import { idMaker } from "#core/ids.ts";
import { keyService } from "#keys/service.ts";
import { workspaceService } from "#workspaces/service.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { chain } from "../../../support/automations/automations.ts";
import { engineOf, runGround } from "../../../support/automations/engine-runs.ts";
import { HELLO, NEW_SUBSCRIBER } from "../../../support/automations/flows.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { HOUR } from "../../../support/common/durations.ts";
import { manualClock, type ManualClock } from "../../../support/common/manual-clock.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";

const QUIET = { quietHours: { fromMinute: 8 * 60, toMinute: 11 * 60 } };
const LONGER = { quietHours: { fromMinute: 8 * 60, toMinute: 12 * 60 } };
const FLOW = chain(NEW_SUBSCRIBER, ["mail", "action", HELLO], ["out", "end"]);

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`quiet hours that somebody changes, on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let clock: ManualClock;
    let ground: ReturnType<typeof runGround>;
    let until: number;
    let faults: unknown[];
    let made = 0;

    /** As a command or another server: nothing of it runs after its answer. */
    const change = (settings: Partial<Settings>) => {
      const random = seededRandom(1);
      const newId = idMaker(clock, random);
      const { workspaces, keys } = opened.stores;
      const service = workspaceService({
        workspaces,
        keys: keyService({ keys, clock, random, newId }),
        clock,
        random,
        newId,
      });
      return service.changeSettings("ws_one", settings);
    };
    const loopOf = (over: Partial<RunStore> = {}) =>
      endedHolds({
        runs: { ...opened.stores.runs, ...over },
        workspaces: opened.stores.workspaces,
        slices: { pause: () => Promise.resolve() },
        clock,
        log: {
          error: (_: string, about: { error?: unknown }) => void faults.push(about.error),
        } as unknown as Log,
      });
    const STILL_RUNS = new AbortController().signal;
    /** The loop of a server that starts now. */
    const look = (over?: Partial<RunStore>): Promise<boolean> => loopOf(over)(() => undefined, STILL_RUNS);
    const held = async (number: number): Promise<number> =>
      await ground.numberOf(
        `SELECT count(*) FROM enrollments WHERE automation = ${number} AND status = 'ACTIVE' AND next_run_at = ${until}`,
      );
    const owed = async () => (await opened.stores.runs.endedHolds()).map(({ heldUntil }) => heldUntil);
    const holdSome = async (): Promise<number> => {
      const { number } = await ground.live(FLOW);
      await ground.start(number, await ground.people(`held${++made}x`, 3));
      await work();
      expect(await held(number)).toBe(3);
      return number;
    };
    const work = async (): Promise<void> => {
      const settings = await opened.stores.workspaces.settings("ws_one");
      await engineOf(opened, clock, settings).run();
    };

    beforeAll(async () => {
      clock = manualClock();
      until = clock.now() + 2 * HOUR;
      faults = [];
      opened = await openWithWorkspaces(engine, clock);
      ground = runGround(opened);
      await change({ ...QUIET, fromEmail: "news@sender.example", mailingAddress: "1 Road" });
    });
    afterAll(() => opened.close());

    test("who was held goes on, although what changed them has ended, and a first try fails", async () => {
      const number = await holdSome();
      await change({ quietHours: null });
      expect(await owed()).toEqual([until]);
      expect(await look({ drawInHeld: () => Promise.reject(new Error("no connection")) })).toBe(false);
      expect(faults).toMatchObject([{ message: "no connection" }]);
      expect(await held(number)).toBe(3);
      expect(await look()).toBe(true);
      await work();
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 3 });
    });

    test("a server that held by the hours of before a little later holds nobody until their end", async () => {
      await change(QUIET);
      const number = await holdSome();
      const late = `UPDATE enrollments SET next_run_at = ${until} WHERE automation = ${number}`;
      await change({ quietHours: null });
      expect(await look()).toBe(true);
      expect(await look()).toBe(false);
      clock.advance(100_000);
      await opened.run(late);
      expect(await look()).toBe(true);
      expect(await held(number)).toBe(0);
      clock.advance(100_000);
      await look();
      expect(await owed()).toEqual([]);
      await work();
    });

    test("what is right again holds on: hours that were changed back, and others with the same end", async () => {
      await change(QUIET);
      const number = await holdSome();
      await change(LONGER);
      expect(await owed()).toEqual([until]);
      await change(QUIET);
      expect(await owed()).toEqual([until, until + HOUR]);
      expect(await look()).toBe(false);
      expect(await held(number)).toBe(3);
      expect(await owed()).toEqual([until + HOUR]);
      await change({ quietHours: { fromMinute: 7 * 60, toMinute: 11 * 60 } });
      expect(await look()).toBe(false);
      expect(await held(number)).toBe(3);
    });

    test("once the old end is over, nothing is owed", async () => {
      await change({ quietHours: null });
      clock.advance(3 * HOUR);
      expect(await look()).toBe(false);
      expect(await owed()).toEqual([]);
      expect(faults).toHaveLength(1);
    });

    test("while nobody changes settings, a server that owes nothing looks for nothing", async () => {
      let asked = 0;
      const loop = loopOf({
        endedHolds: () => {
          asked++;
          return opened.stores.runs.endedHolds();
        },
      });
      for (let round = 0; round < 3; round++) await loop(() => undefined, STILL_RUNS);
      expect(asked).toBe(1);
      await change({ fromName: "Grace" });
      for (let round = 0; round < 3; round++) await loop(() => undefined, STILL_RUNS);
      expect(asked).toBe(2);
    });

    test("a change of other settings ends nothing", async () => {
      await change({ quietHours: { fromMinute: 8 * 60, toMinute: 18 * 60 } });
      await change({ fromName: "Ada" });
      expect(await owed()).toEqual([]);
    });
  });
}
