import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "#core/request/json-value.ts";
import { CALL_NEXT } from "#storage/postgres/automations/staying-starts.ts";
import { HISTORY } from "#storage/postgres/automations/run/run-histories.ts";
import { chain } from "../../../support/automations/automations.ts";
import { engineOf, runGround } from "../../../support/automations/engine-runs.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { NEW_SUBSCRIBER, ONE_DAY } from "../../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../../support/common/manual-clock.ts";
import { DAY } from "../../../support/common/durations.ts";

const AGAIN: JsonObject = { ...NEW_SUBSCRIBER, reenroll: "each_time" };
const VIP: JsonObject = { action: "add_tag", tag: "vip" };
/** As the engine's own connections have it (storage/postgres/engine/open.ts). */
const AS_PLANNED = ["enable_seqscan = off", "enable_bitmapscan = off"];

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`many triggers of one contact on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let clock: ManualClock;
    let runs: OpenedEngine["stores"]["runs"];
    let automations: OpenedEngine["stores"]["automations"];
    let ground: ReturnType<typeof runGround>;

    beforeAll(async () => {
      clock = manualClock();
      opened = await openWithWorkspaces(engine, clock);
      ({ runs, automations } = opened.stores);
      ground = runGround(opened);
    });
    afterAll(() => opened.close());

    /** The events of the runs so far, in the order in which they entered. */
    const entered = async (automation: number) =>
      (
        await opened.values(`SELECT event FROM enrollments WHERE automation = ${automation} ORDER BY seq`)
      ).map(Number);
    const startsOf = (automation: number, condition = "true") =>
      ground.numberOf(
        `SELECT count(*) FROM automation_starts WHERE automation = ${automation} AND ${condition}`,
      );

    test("without a wait, each trigger of a contact has a run of its own, in their order", async () => {
      const { number } = await ground.live(chain(AGAIN, ["tag", "action", VIP], ["out", "end"]));
      const [ada, bob] = await ground.people("each", 2);
      for (let event = 1; event <= 40; event++)
        await ground.start(number, [ada!], "new_subscriber", `${event}`);
      await ground.start(number, [bob!], "new_subscriber", "41");
      const { run, crashes } = engineOf(opened, clock);
      await run();
      expect(crashes).toEqual([]);
      const events = await entered(number);
      expect(events.filter((event) => event < 41)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
      // Who comes behind many of one contact does not wait for them.
      expect(events.indexOf(41)).toBe(1);
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 41 });
      expect(await startsOf(number)).toBe(0);
    });

    test("several servers at once: each trigger of a contact still has one run, in their order", async () => {
      const { number } = await ground.live(chain(AGAIN, ["out", "end"]));
      const people = await ground.people("crowd", 10);
      for (let event = 1; event <= 12; event++)
        await ground.start(number, people, "new_subscriber", `${event}`);
      await Promise.all([1, 2, 3].map(() => engineOf(opened, clock).run()));
      // A server that found everything taken stopped; what it left is due.
      await engineOf(opened, clock).run();
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 120 });
      for (const person of people)
        expect(
          await opened.values(
            `SELECT CAST(event AS integer) FROM enrollments WHERE automation = ${number} AND contact = ${person} ORDER BY seq`,
          ),
        ).toEqual(Array.from({ length: 12 }, (_, i) => i + 1));
    });

    test("who stands at a wait is in the automation: triggers start nothing, also those that came just before", async () => {
      const { number } = await ground.live(
        chain(AGAIN, ["tag", "action", VIP], ["wait", "wait", ONE_DAY], ["out", "end"]),
      );
      const people = await ground.people("waits", 2);
      for (const event of ["1", "2", "3"]) await ground.start(number, people, "new_subscriber", event);
      const { run } = engineOf(opened, clock);
      await run();
      await ground.start(number, people, "new_subscriber", "4");
      await run();
      expect(await entered(number)).toEqual([1, 1]);
      expect(await startsOf(number)).toBe(0);
      clock.advance(DAY);
      // It is over, but the engine has not come to it: who comes now is in time.
      await ground.start(number, people, "new_subscriber", "5");
      await run();
      expect(await entered(number)).toEqual([1, 1, 5, 5]);
    });

    test("while a webhook is called, triggers stay without being due, and have their turn when it ends", async () => {
      const { number } = await ground.live(
        chain(AGAIN, ["call", "action", { action: "webhook", url: "https://example.org/" }], ["out", "end"]),
      );
      const people = await ground.people("calls", 1);
      const { run, calls } = engineOf(opened, clock);
      for (const event of ["1", "2", "3"]) await ground.start(number, people, "new_subscriber", event);
      await run();
      expect(calls).toHaveLength(1);
      expect(await runs.due(clock.now())).toEqual([]);
      await ground.start(number, people, "new_subscriber", "4");
      await run();
      expect(await startsOf(number, `next_try_at > ${clock.now()}`)).toBe(3);
      for (let ended = 0; ended < 4; ended++) {
        expect(calls).toHaveLength(ended + 1);
        expect(await entered(number)).toHaveLength(ended + 1);
        await runs.settleCall(calls[ended]!, { kind: "done" }, clock.now());
        await run();
      }
      expect(await entered(number)).toEqual([1, 2, 3, 4]);
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 4 });
      expect(await startsOf(number)).toBe(0);
    });

    test("a trigger whose stay is just over when the run ends is still before those that came later", async () => {
      const { number } = await ground.live(
        chain(AGAIN, ["call", "action", { action: "webhook", url: "https://example.org/" }], ["out", "end"]),
      );
      const people = await ground.people("order", 1);
      const { run, calls } = engineOf(opened, clock);
      for (const event of ["1", "2", "3"]) await ground.start(number, people, "new_subscriber", event);
      await run();
      expect(await startsOf(number, `next_try_at > ${clock.now()}`)).toBe(2);
      // The engine has not come to it again.
      await opened.run(
        `UPDATE automation_starts SET next_try_at = ${clock.now() - 1} WHERE automation = ${number} AND event = 2`,
      );
      await runs.settleCall(calls[0]!, { kind: "fail", errorMessage: "gone" }, clock.now());
      await run();
      expect(await entered(number)).toEqual([1, 2]);
      for (let ended = 1; ended < 3; ended++) {
        await runs.settleCall(calls[ended]!, { kind: "done" }, clock.now());
        await run();
      }
      expect(await entered(number)).toEqual([1, 2, 3]);
    });

    test.if(engine.name === "PostgreSQL")(
      "a trigger that is called for while a server takes a later one of its contact is still before it",
      async () => {
        const call = ["call", "action", { action: "webhook", url: "https://example.org/" }] as const;
        const { number } = await ground.live(chain(AGAIN, call, ["out", "end"]));
        const people = await ground.people("meanwhile", 1);
        const { run, calls } = engineOf(opened, clock);
        for (const event of ["1", "2"]) await ground.start(number, people, "new_subscriber", event);
        await run();
        await ground.start(number, people, "new_subscriber", "3");
        // As the end of the call writes it.
        await opened.run("BEGIN");
        await opened.run(`UPDATE enrollments SET status = 'FAILED' WHERE automation = ${number}`);
        await opened.run(
          `UPDATE automation_starts SET next_try_at = 1 WHERE automation = ${number} AND event = 2`,
        );
        const taking = run();
        while (
          (await ground.numberOf(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))",
          )) === 0
        );
        await opened.run("COMMIT");
        await taking;
        await run();
        for (let ended = 1; ended < 3; ended++) {
          await runs.settleCall(calls[ended]!, { kind: "done" }, clock.now());
          await run();
        }
        expect(await entered(number)).toEqual([1, 2, 3]);
      },
    );

    test("a trigger that stays is looked at again by itself, should nobody call for it", async () => {
      const { id, number } = await ground.live(chain(AGAIN, ["out", "end"]));
      const people = await ground.people("alone", 1);
      await ground.start(number, people);
      await opened.run(
        `UPDATE automation_starts SET next_try_at = ${clock.now() + 60_000} WHERE automation = ${number}`,
      );
      const { run } = engineOf(opened, clock);
      await run();
      expect(await entered(number)).toEqual([]);
      expect(await runs.nextDueAt()).toBe(clock.now() + 60_000);
      expect(await automations.troubles("ws_one", id)).toEqual([]);
      clock.advance(60_000);
      await run();
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 1 });
    });

    test("when the trigger that stays is not expected any more, the next one has its turn", async () => {
      const call = ["call", "action", { action: "webhook", url: "https://example.org/" }] as const;
      const { id, number } = await ground.live(chain(AGAIN, call, ["out", "end"]));
      const people = await ground.people("next", 1);
      const { run, calls } = engineOf(opened, clock);
      await ground.start(number, people, "new_subscriber", "1");
      await ground.start(number, people, "custom_event", "2");
      await ground.start(number, people, "new_subscriber", "3");
      // The second one is stored as if it had stayed for a trigger that the flow has no more.
      await opened.run(
        `UPDATE automation_starts SET next_try_at = ${clock.now() + DAY} WHERE automation = ${number} AND event = 2`,
      );
      await run();
      await runs.settleCall(calls[0]!, { kind: "done" }, clock.now());
      await run();
      expect(await entered(number)).toEqual([1, 3]);
      await automations.delete("ws_one", id, 5);
      while (await runs.clearDeleted(10));
    });

    test("automations that start each other many times in a run come to rest: their number is not multiplied", async () => {
      const again = (tag: string, times: number) =>
        Array.from({ length: times }, (_, i) => [
          [`off${i}`, "action", { action: "remove_tag", tag }],
          [`on${i}`, "action", { action: "add_tag", tag }],
        ]).flat() as [string, string, JsonObject][];
      const [one, two] = [
        await ground.live(chain({ trigger: "tag_added", tag: "one" }, ...again("two", 8))),
        await ground.live(chain({ trigger: "tag_added", tag: "two" }, ...again("one", 8))),
      ];
      const [ada] = await ground.people("rest", 1);
      await opened.run(
        `INSERT INTO automation_starts (automation, contact, kind, detail, depth, created_at, next_try_at)
         VALUES (${one.number}, ${ada!}, 'tag_added', 'one', 0, 1, 1)`,
      );
      await engineOf(opened, clock).run();
      const count = (await entered(one.number)).length + (await entered(two.number)).length;
      // Six in a row; of each, one run and one start that stayed.
      expect(count).toBeGreaterThan(6);
      expect(count).toBeLessThan(2 ** 7);
      expect(await startsOf(one.number)).toBe(0);
      expect(await startsOf(two.number)).toBe(0);
    });

    test.if(engine.name === "PostgreSQL")("a trigger counts no earlier runs of its contact", async () => {
      for (const setting of AS_PLANNED) await opened.run(`SET ${setting}`);
      const plan = (
        await opened.values(`EXPLAIN ${HISTORY.replaceAll("$1", "1").replace("$2", "'{1,2}'")}`)
      ).join("\n");
      expect(plan.match(/Limit|Index.* Scan using \w+/g)).toEqual([
        "Limit",
        expect.stringContaining("enrollments_active"),
        "Limit",
        expect.stringContaining("enrollments_by_contact"),
      ]);
      expect(plan.match(/Index Cond: .*/g)).toEqual([
        expect.stringContaining("ROW(automation, contact) >="),
        expect.stringContaining("ROW(contact, automation) >="),
      ]);
      expect(plan).not.toMatch(/Seq Scan|Hash|Aggregate|Merge|Sort|Filter/);
    });

    test.if(engine.name === "PostgreSQL")(
      "of a contact's starts, however many, a run that ends reads only the one that it calls",
      async () => {
        for (const setting of AS_PLANNED) await opened.run(`SET ${setting}`);
        const statement = CALL_NEXT.replaceAll("$1", "'{1}'").replaceAll("$2", "'{2}'").replaceAll("$3", "5");
        const plan = (await opened.values(`EXPLAIN ${statement}`)).join("\n");
        expect(plan.match(/Index.* Scan using \w+/g)).toEqual([
          expect.stringContaining("automation_starts_staying"),
          expect.stringContaining("automation_starts_pkey"),
        ]);
        expect(plan.match(/Index Cond: .*/g)).toEqual([
          expect.stringContaining("ROW(contact, automation) >="),
          expect.stringContaining("seq = ANY"),
        ]);
        expect(plan).not.toMatch(/Seq Scan|Hash|Merge|Sort/);
      },
    );
  });
}
