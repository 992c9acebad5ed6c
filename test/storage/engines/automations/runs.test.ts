import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "#core/request/json-value.ts";
import { newList } from "../../../support/people/lists.ts";
import { chain } from "../../../support/automations/automations.ts";
import { engineOf, runGround, SENDER } from "../../../support/automations/engine-runs.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { HELLO, NEW_SUBSCRIBER, ONE_DAY } from "../../../support/automations/flows.ts";
import { manualClock, type ManualClock } from "../../../support/common/manual-clock.ts";
import { DAY } from "../../../support/common/durations.ts";

const AGAIN: JsonObject = { ...NEW_SUBSCRIBER, reenroll: "each_time" };
const VIP: JsonObject = { action: "add_tag", tag: "vip" };
const MONTH = "2026-01";

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`runs of automations on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let clock: ManualClock;
    let runs: OpenedEngine["stores"]["runs"];
    let automations: OpenedEngine["stores"]["automations"];
    let ground: ReturnType<typeof runGround>;
    const usedIn = (workspace = 1) =>
      ground.numberOf(
        `SELECT coalesce(sum(n), 0) FROM sending_usage WHERE workspace = ${workspace} AND period = '${MONTH}'`,
      );
    const mailsOf = (automation: number, condition = "true") =>
      opened.values(
        `SELECT d.address FROM deliveries d JOIN automation_mailings a ON a.mailing = d.mailing JOIN mailings m ON m.seq = d.mailing
         WHERE a.automation = ${automation} AND ${condition} ORDER BY d.address`,
      );

    beforeAll(async () => {
      clock = manualClock();
      opened = await openWithWorkspaces(engine, clock);
      ({ runs, automations } = opened.stores);
      ground = runGround(opened);
      await opened.stores.lists.insert("ws_one", newList("list_1", { name: "One" }));
    });
    afterAll(() => opened.close());

    test("people go through a flow, and everything it does is written once", async () => {
      const flow = chain(
        NEW_SUBSCRIBER,
        ["tag", "action", VIP],
        ["join", "action", { action: "add_to_list", listId: "list_1" }],
        ["name", "action", { action: "set_field", field: "firstName", value: "Ada" }],
        ["plan", "action", { action: "set_field", field: "attributes.plan", value: "pro" }],
        ["mail", "action", HELLO],
        ["wait", "wait", ONE_DAY],
        ["leave", "action", { action: "remove_from_list", listId: "list_1" }],
        ["untag", "action", { action: "remove_tag", tag: "vip" }],
        ["out", "end"],
      );
      const { id, number } = await ground.live(flow);
      await ground.start(number, await ground.people("way", 40));
      const { run, crashes } = engineOf(opened, clock);
      await run();
      expect(crashes).toEqual([]);
      expect(await ground.statuses(number)).toEqual({ ACTIVE: 40 });
      expect(await opened.stores.contacts.find("ws_one", "way7")).toMatchObject({
        firstName: "Ada",
        tags: ["vip"],
        attributes: { plan: "pro" },
      });
      expect((await opened.stores.lists.find("ws_one", "list_1"))!.contactCount).toBe(40);
      expect(await mailsOf(number, "d.state = 'queued'")).toHaveLength(40);
      expect(new Set(await mailsOf(number)).size).toBe(40);
      expect(await usedIn()).toBe(40);
      expect(await runs.nextDueAt()).toBe(clock.now() + DAY);
      clock.advance(DAY);
      await run();
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 40 });
      expect(await runs.nextDueAt()).toBeNull();
      expect(await opened.stores.contacts.find("ws_one", "way39")).toMatchObject({ tags: [] });
      expect((await opened.stores.lists.find("ws_one", "list_1"))!.contactCount).toBe(0);
      expect(await ground.numberOf("SELECT count(*) FROM list_departures")).toBe(40);
      const figures = (await automations.nodeFigures("ws_one", id))!;
      for (const node of ["in", "tag", "wait", "out"])
        expect(figures.get(node)).toMatchObject({ entered: 40, completed: 40, waiting: 0, failed: 0 });
      expect(await automations.find("ws_one", id)).toMatchObject({ activeEnrollments: 0 });
    });

    test("several servers at once: each run is taken by one of them, and everybody is mailed once", async () => {
      const before = await usedIn();
      const { number } = await ground.live(
        chain(
          AGAIN,
          ["tag", "action", VIP],
          ["mail", "action", HELLO],
          ["more", "action", { ...VIP, tag: "more" }],
        ),
      );
      const people = await ground.people("many", 120);
      // Each of them twice: who is in the automation enters again when that run is over.
      await ground.start(number, [...people, ...people]);
      const servers = [1, 2, 3].map(() => engineOf(opened, clock));
      await Promise.all(servers.map(({ run }) => run()));
      expect(servers.flatMap(({ crashes }) => crashes)).toEqual([]);
      const mailed = await mailsOf(number);
      expect(new Set(mailed).size).toBe(120);
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 240 });
      expect(mailed).toHaveLength(240);
      expect(await usedIn()).toBe(before + 240);
      expect(await opened.stores.contacts.find("ws_one", "many119")).toMatchObject({ tags: ["vip", "more"] });
    });

    test("once means once, however many triggers come at the same time", async () => {
      const { number } = await ground.live(chain(NEW_SUBSCRIBER, ["out", "end"]));
      const people = await ground.people("once", 30);
      await ground.start(number, people);
      await ground.start(number, people);
      await Promise.all([1, 2, 3].map(() => engineOf(opened, clock).run()));
      await ground.start(number, people);
      await engineOf(opened, clock).run();
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 30 });
      expect(
        await ground.numberOf(`SELECT count(*) FROM automation_starts WHERE automation = ${number}`),
      ).toBe(0);
    });

    test("a monthly limit is never passed; who comes too late is tried again", async () => {
      const used = await usedIn();
      const limited = { ...SENDER, monthlyLimit: used + 5 };
      const { id, number } = await ground.live(chain(NEW_SUBSCRIBER, ["mail", "action", HELLO]));
      await ground.start(number, await ground.people("few", 24));
      await Promise.all([1, 2, 3].map(() => engineOf(opened, clock, limited).run()));
      expect(await mailsOf(number)).toHaveLength(5);
      expect(await usedIn()).toBe(used + 5);
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 5, ACTIVE: 19 });
      expect(await automations.troubles("ws_one", id)).toMatchObject([
        { at: "step", nodeId: "mail", count: 19 },
      ]);
      await automations.delete("ws_one", id, 5);
      while (await runs.clearDeleted(10));
      expect(await usedIn()).toBe(used);
      expect(await mailsOf(number, "m.phase = 'sending'")).toEqual([]);
      for (const table of ["enrollments", "automation_starts", "automation_nodes", "enrollment_counts"])
        expect(await ground.numberOf(`SELECT count(*) FROM ${table} WHERE automation = ${number}`)).toBe(0);
      expect(await ground.numberOf(`SELECT count(*) FROM automations WHERE seq = ${number}`)).toBe(0);
    });

    test("who opts out by a step leaves every list, is suppressed, and gets no mail of the steps behind it", async () => {
      const flow = chain(
        AGAIN,
        ["join", "action", { action: "add_to_list", listId: "list_1" }],
        ["out", "action", { action: "unsubscribe" }],
        ["mail", "action", HELLO],
      );
      const { number } = await ground.live(flow);
      await ground.start(number, await ground.people("gone", 3));
      await engineOf(opened, clock).run();
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 3 });
      expect(await mailsOf(number)).toEqual([]);
      expect(await opened.stores.contacts.find("ws_one", "gone1")).toMatchObject({ status: "UNSUBSCRIBED" });
      expect(await opened.stores.contacts.lists("ws_one", "gone1")).toEqual([]);
      expect(
        await opened.values("SELECT reason FROM suppressions WHERE address = 'gone1@example.com'"),
      ).toEqual(["UNSUBSCRIBED"]);
      const log = await opened.values(
        "SELECT source FROM consent_log WHERE contact_id = 'gone1' AND action = 'WITHDRAWN'",
      );
      expect(log).toEqual(["admin"]);
    });

    test("a step puts nobody back on a list that they left by themselves", async () => {
      const { number } = await ground.live(
        chain(AGAIN, ["join", "action", { action: "add_to_list", listId: "list_1" }], ["out", "end"]),
      );
      const people = await ground.people("left", 3);
      for (const [n, action] of ["WITHDRAWN", "GIVEN"].entries())
        await opened.run(
          `INSERT INTO consent_log (workspace, contact_id, address, action, source, at, list_id)
           VALUES (1, 'left${n}', 'left${n}@example.com', '${action}', 'preferences', 1, 'list_1')`,
        );
      await ground.start(number, people);
      await engineOf(opened, clock).run();
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 3 });
      const on = await Promise.all([0, 1, 2].map((n) => opened.stores.contacts.lists("ws_one", `left${n}`)));
      expect(on.map((lists) => lists?.map(({ id }) => id))).toEqual([[], ["list_1"], ["list_1"]]);
    });

    test("a run whose step fails in the database keeps nobody back, and is tried again", async () => {
      const { id, number } = await ground.live(
        chain(NEW_SUBSCRIBER, ["tag", "action", VIP], ["mail", "action", HELLO], ["out", "end"]),
      );
      const people = await ground.people("odd", 5);
      await ground.start(number, people);
      const { run, crashes } = engineOf(opened, clock);
      // The third one's mail is there already, as if this performance of the step had been written before.
      await runs.admit(
        (await runs.due(clock.now()))[0]!,
        { begin: () => () => false, rowsMax: 500, now: clock.now() },
        {
          entry: () => ({ nodeId: "in", reenroll: "once" }),
          enroll: () => "enroll",
          newId: () => `enr_${crypto.randomUUID()}`,
          retryAt: () => null,
        },
      );
      const third = await ground.numberOf(
        `SELECT seq FROM enrollments WHERE automation = ${number} AND contact = ${people[2]!}`,
      );
      await opened.run(
        "INSERT INTO deliveries (mailing, address, state) SELECT min(seq), 'earlier@example.com', 'sent' FROM mailings",
      );
      await opened.run(
        `INSERT INTO automation_deliveries (delivery, enrollment, execution)
         SELECT max(seq), ${third}, 2 FROM deliveries WHERE address = 'earlier@example.com'`,
      );
      await run();
      expect(crashes).toHaveLength(1);
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 4, ACTIVE: 1 });
      expect(await mailsOf(number)).toHaveLength(4);
      expect(await opened.stores.contacts.find("ws_one", "odd2")).toMatchObject({ tags: ["vip"] });
      expect(await automations.troubles("ws_one", id)).toMatchObject([
        { at: "step", nodeId: "mail", count: 1 },
      ]);
      expect(await runs.nextDueAt()).toBe(clock.now() + 60_000);
      for (const _ of [1, 2, 3]) {
        clock.advance(60_000);
        await run();
      }
      expect(await ground.statuses(number)).toEqual({ COMPLETED: 4, FAILED: 1 });
      expect((await automations.nodeFigures("ws_one", id))!.get("mail")).toMatchObject({
        entered: 5,
        completed: 4,
        failed: 1,
      });
    });

    test("when the time of a slice is over, everybody else has a turn between two runs", async () => {
      const { number } = await ground.live(chain(NEW_SUBSCRIBER, ["wait", "wait", ONE_DAY], ["out", "end"]));
      await ground.start(number, await ground.people("slow", 32));
      await engineOf(opened, clock).run();
      clock.advance(DAY);
      const [due] = (await runs.due(clock.now())).filter((one) => one.number === number);
      let [turn, isCounting] = [0, true];
      const count = (): void => {
        turn++;
        if (isCounting) setImmediate(count);
      };
      setImmediate(count);
      const decidedIn: number[] = [];
      const slice = { now: clock.now(), rowsMax: 500, callsMax: 10, begin: () => () => true };
      const { done } = await runs.advance(due!, slice, {
        needs: () => null,
        decide() {
          decidedIn.push(turn);
          return { kind: "later", at: clock.now() + DAY, problem: null };
        },
        jitter: () => 0.5,
        retryAt: () => null,
        callAgainAt: clock.now,
      });
      isCounting = false;
      expect(decidedIn).toHaveLength(done);
      expect(done).toBeGreaterThan(0);
      expect(new Set(decidedIn).size).toBe(done);
      // Nobody was left out, and nobody twice.
      await engineOf(opened, clock).run();
      expect(await ground.statuses(number)).toEqual(
        done === 32 ? { ACTIVE: 32 } : { ACTIVE: done, COMPLETED: 32 - done },
      );
    });

    test("a clock that was set back: what it put off too far is due, at any server; a wait and a near retry are not", async () => {
      const { number } = await ground.live(chain(NEW_SUBSCRIBER, ["out", "end"]));
      const now = clock.now();
      const [near, far] = [now + DAY, now + 300 * DAY];
      // A webhook's receiver may ask for a day, and a fifth more is spread.
      const asked = now + 1.2 * DAY;
      const rows = [
        [far, 1, false],
        [far, 0, false],
        [far, 0, true],
        [near, 1, false],
        [asked, 1, false],
      ] as const;
      const people = await ground.people("back", rows.length);
      for (const [i, [at, attempts, waiting]] of rows.entries())
        await opened.run(
          `INSERT INTO enrollments (id, automation, contact, depth, status, node, next_run_at, enrolled_at, attempts, waiting)
           VALUES ('back_${i}', ${number}, ${people[i]}, 0, 'ACTIVE', 'out', ${at}, 0, ${attempts}, ${waiting})`,
        );
      await opened.run(
        `INSERT INTO enrollments (id, automation, contact, depth, status, node, next_run_at, enrolled_at)
         SELECT 'over', ${number}, contact, 0, 'COMPLETED', 'out', ${far}, 0 FROM enrollments WHERE id = 'back_0'`,
      );
      await ground.start(number, people.slice(0, 2));
      await opened.run(
        `UPDATE automation_starts SET next_try_at = CASE contact WHEN ${people[0]} THEN ${far} ELSE ${near} END`,
      );
      await Promise.all([runs.drawIn(now), runs.drawIn(now)]);
      const numbers = async (sql: string) => (await opened.values(sql)).map(Number);
      const dueAt = `SELECT next_run_at FROM enrollments WHERE automation = ${number} ORDER BY seq`;
      expect(await numbers(dueAt)).toEqual([now, now, far, near, asked, far]);
      const startsAt = "SELECT next_try_at FROM automation_starts ORDER BY seq";
      expect(await numbers(startsAt)).toEqual([now, near]);
      expect(await runs.due(now)).toMatchObject([{ number, dueAt: now, hasStarts: true }]);
    });
  });
}
