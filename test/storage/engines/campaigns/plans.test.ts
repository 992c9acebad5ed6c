import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DEFAULT_OPTIONS, type OptionsChange } from "#campaigns/options/options.ts";
import type { Completion, Plan, PlanStore, PlanWork } from "#campaigns/send/plan.ts";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { MINUTE_MS } from "#core/time/time.ts";
import { accept, type Refusal } from "#core/errors/errors.ts";
import { FRONT } from "#deliveries/ledger.ts";
import { newList } from "../../../support/people/lists.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

/** It stands still: no lease ends, however slow the machine is. */
const STILL: Clock = { ...systemClock, monotonicMs: () => 0 };
const NOW = 1_800_000_000_000;
const BY_HAND = { excludeEmails: [], scheduledAt: null, overrideQuietHours: false };
const PEOPLE = 9;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`plans of campaigns on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let plans: PlanStore;
    let made = 0;

    /** A campaign to the list, with options. */
    const campaign = async (
      change: OptionsChange = {},
      listId: string | null = "list_all",
    ): Promise<string> => {
      const { campaigns } = opened.stores;
      const id = `cam_${++made}`;
      await campaigns.insert("ws_one", {
        id,
        name: `N${made}`,
        subject: "S",
        body: "<p>",
        listId,
        createdAt: 1,
      });
      const options = { ...DEFAULT_OPTIONS, ...change };
      const named = { lists: options.excludeListIds, segments: [] };
      await campaigns.changeOptions("ws_one", id, named, () => accept({ options }));
      return id;
    };
    const begin = async (id: string, given: object = {}): Promise<Plan> =>
      (await plans.begin("ws_one", id, { ...BY_HAND, ...given }, NOW)) as Plan;
    const walk = async (plan: Plan, contactsMax = 4): Promise<PlanWork> => {
      await plans.settle(plan, NOW);
      let next: PlanWork = "read";
      while (next === "read" || next === "write") next = await plans.planNext(plan, contactsMax);
      return next;
    };
    const completion = (refusal: Refusal | null = null, seen: unknown[] = []): Completion => ({
      day: "2026-11-23",
      month: "2026-11",
      now: NOW,
      isChecked: () => true,
      check: (facts) => (seen.push(facts), refusal),
      freeze: (letter) => ({ subject: letter.subject, html: letter.html, list: letter.list }) as any,
    });
    const clear = async (plan: Plan): Promise<void> => {
      await plans.giveUp(plan);
      while (!(await plans.abandon(plan, 4)));
    };
    const rows = (mailing: number): Promise<unknown[]> =>
      opened.values(
        `SELECT address || ' ' || state || coalesce(' ' || reason, '') FROM deliveries WHERE mailing = ${mailing} ORDER BY address`,
      );
    const usage = async () =>
      (await opened.values("SELECT n FROM sending_usage ORDER BY period")).map(Number);
    const numbers = (some: readonly Plan[]) => some.map(({ number }) => number);

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine, STILL);
      ({ plans } = opened.stores);
      await opened.stores.ledger.join(NOW, false);
      const people = Array.from({ length: PEOPLE }, (_, n) => {
        const domain = n === 3 ? "blocked.example" : "example.com";
        const status = n === 8 ? "UNSUBSCRIBED" : "SUBSCRIBED";
        // The addresses are in another order than the numbers.
        return `('con_${n}', 1, 'p${PEOPLE - n}@${domain}', '', '', '${status}', '', 1)`;
      });
      await opened.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at) VALUES ${people.join(", ")}`,
      );
      await opened.run(
        `INSERT INTO suppressions (workspace, address, reason, created_at) VALUES (1, 'p7@example.com', 'COMPLAINT', 1)`,
      );
      await opened.run(
        "INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (1, 'blocked.example', 1)",
      );
      const { lists } = opened.stores;
      for (const [id, ids] of [
        ["list_all", Array.from({ length: PEOPLE }, (_, n) => `con_${n}`)],
        ["list_even", ["con_0", "con_2", "con_4", "con_6", "con_8"]],
        ["list_few", ["con_0", "con_2"]],
        ["list_none", []],
      ] as const) {
        await lists.insert("ws_one", newList(id, { name: `The ${id}` }));
        await lists.addContacts("ws_one", id, ids, () => null, 1);
      }
    });
    afterAll(() => opened.close());

    test("nothing is begun where the campaign has another audience than its guardrails were asked about", async () => {
      const none = { segmentId: "seg_any", excludeListIds: [], excludeSegmentIds: [] };
      const audience = { ...none, listId: "list_few", excludeListIds: ["list_even"] };
      const id = await campaign({ segmentId: "seg_any", excludeListIds: ["list_even"] }, "list_few");
      for (const other of [
        { listId: "list_all" },
        { listId: null },
        { segmentId: "seg_other" },
        { segmentId: null },
        { excludeListIds: ["list_even", "list_none"] },
        { excludeSegmentIds: ["seg_other"] },
      ])
        expect(await begin(id, { audience: { ...audience, ...other } })).toBeNull();
      const { lists } = opened.stores;
      await lists.insert("ws_one", newList("list_going"));
      const orphan = await campaign({ segmentId: "seg_any" }, "list_going");
      await opened.run(`UPDATE campaigns SET list = NULL WHERE id = '${orphan}'`);
      expect(await begin(orphan, { audience: { ...none, listId: "list_going" } })).toBeNull();
      const plan = await begin(id, { audience });
      expect(plan.campaignId).toBe(id);
      await clear(plan);
    });

    test("everybody SUBSCRIBED on the list gets a row, and the campaign is sent from then on", async () => {
      const id = await campaign();
      // As a script sends them that joins all addresses into one text, and what does not compress.
      const joined = Array.from({ length: 400 }, (_, n) =>
        new Bun.CryptoHasher("md5").update(`${n}`).digest("hex"),
      );
      const plan = await begin(id, {
        excludeEmails: [
          "p9@example.com",
          "nobody@example.com",
          "p\u00002@example.com",
          "\ud800",
          joined.join(),
        ],
      });
      expect(plan).toMatchObject({ workspaceId: "ws_one", campaignId: id });
      expect(await plans.unfinished()).toEqual([]);
      expect(await walk(plan)).toBe("end");
      expect(await rows(plan.number)).toEqual([
        "p2@example.com queued",
        "p3@example.com queued",
        "p4@example.com queued",
        "p5@example.com queued",
        "p6@blocked.example skipped BLOCKED_DOMAIN",
        "p7@example.com skipped SUPPRESSED",
        "p8@example.com queued",
        "p9@example.com skipped EXCLUDED",
      ]);
      expect(await plans.plannedSoFar(id)).toBe(5);
      await opened.run("INSERT INTO sending_usage VALUES (1, '2026-11-23', 3)");
      const seen: unknown[] = [];
      expect(await plans.complete(plan, completion(null, seen))).toBe("complete");
      expect(seen.at(-1)).toEqual({ mailable: 5, dayUsed: 3, monthUsed: 0 });
      expect(await usage()).toEqual([5, 8]);
      const { ledger, campaigns } = opened.stores;
      expect(await campaigns.find("ws_one", id)).toMatchObject({ mailing: plan.number, held: false });
      expect(await ledger.content(plan.number)).toMatchObject({
        subject: "S",
        list: { id: "list_all", name: "The list_all" },
      });
      expect(await ledger.progress(plan.number)).toMatchObject({
        phase: "sending",
        planned: 8,
        remaining: 5,
        startedAt: NOW,
        skipped: { EXCLUDED: 1, SUPPRESSED: 1, BLOCKED_DOMAIN: 1 },
      });
      const wanted = {
        limit: 100,
        who: "all",
        domains: [],
        except: new Set<number>(),
        withPeople: false,
      } as const;
      const { messages } = await ledger.owed(plan.number, FRONT, NOW, wanted);
      expect(messages.length).toBe(5);
      const skipped = { state: "skipped", email: null, reason: "EXCLUDED" } as const;
      expect(await ledger.deliveries(plan.number, skipped, { limit: 9, before: null })).toMatchObject({
        total: 1,
      });
      expect(await plans.begin("ws_one", id, BY_HAND, NOW)).toBeNull();
      expect(await plans.abandon(plan, 4)).toBe(true);
      expect((await rows(plan.number)).length).toBe(8);
      await opened.run("DELETE FROM sending_usage");
    });

    test("a plan is begun only for a campaign that has an audience and is not sent", async () => {
      expect(await plans.begin("ws_one", await campaign({}, null), BY_HAND, NOW)).toBeNull();
      expect(await plans.begin("ws_two", await campaign(), BY_HAND, NOW)).toBeNull();
      expect(await plans.begin("ws_one", "cam_none", BY_HAND, NOW)).toBeNull();
    });

    test("an audience is settled once, with its segment and its exclusions", async () => {
      const rules = { field: "list", op: "equals", value: "list_even" };
      await opened.run(
        `INSERT INTO segments (id, workspace, name, rules, created_at, updated_at)
         VALUES ('seg_even', 1, 'Even', '${JSON.stringify(rules)}', 1, 1)`,
      );
      const id = await campaign({ segmentId: "seg_even", excludeListIds: ["list_few", "list_gone"] });
      const plan = await begin(id);
      await plans.settle(plan, NOW);
      await opened.run("UPDATE segments SET rules = 'null' WHERE id = 'seg_even'");
      expect(await walk(plan)).toBe("end");
      await opened.run(`UPDATE segments SET rules = '${JSON.stringify(rules)}' WHERE id = 'seg_even'`);
      expect(await rows(plan.number)).toEqual([
        "p3@example.com queued",
        "p5@example.com queued",
        "p7@example.com skipped EXCLUDED",
        "p9@example.com skipped EXCLUDED",
      ]);
      expect(await plans.complete(plan, completion())).toBe("complete");
      await opened.run("DELETE FROM sending_usage");
      const alone = await begin(await campaign({ segmentId: "seg_even" }, null));
      expect(await walk(alone)).toBe("end");
      expect((await rows(alone.number)).length).toBe(4);
      await clear(alone);
    });

    test("a plan that is refused leaves nothing behind", async () => {
      const id = await campaign();
      const plan = await begin(id);
      await walk(plan);
      const refusal: Refusal = { code: "VALIDATION_ERROR", message: "no" };
      expect(await plans.complete(plan, completion(refusal))).toEqual({ refused: refusal });
      expect(await usage()).not.toContain(5);
      await plans.giveUp(plan);
      expect(await plans.leftover("ws_one", id)).toEqual({ ...plan, isGivenUp: true });
      expect(await plans.leftover("ws_two", id)).toBeNull();
      expect(await plans.unfinished()).toEqual([{ ...plan, scheduledAt: null, state: { kind: "givenUp" } }]);
      await opened.run(`UPDATE campaigns SET paused = 'why' WHERE id = '${id}'`);
      while (!(await plans.abandon(plan, 3)));
      expect(await rows(plan.number)).toEqual([]);
      expect(await opened.values(`SELECT phase FROM mailings WHERE seq = ${plan.number}`)).toEqual([]);
      expect(await opened.stores.campaigns.find("ws_one", id)).toMatchObject({ mailing: null, paused: null });
      expect([await plans.leftover("ws_one", id), await plans.unfinished()]).toEqual([null, []]);
      expect(await plans.abandon(plan, 3)).toBe(true);
      const again = await begin(id);
      expect(await walk(again)).toBe("end");
      expect((await rows(again.number)).length).toBe(8);
      await clear(again);
    });

    test("a campaign that was changed while it was planned is not sent", async () => {
      const { campaigns } = opened.stores;
      const change = (id: string, write: object) =>
        campaigns.change("ws_one", id, ["list_few"], () => accept(write));
      const changes: ((id: string) => Promise<unknown>)[] = [
        (id) => change(id, { listId: "list_few" }),
        (id) => change(id, { scheduledAt: NOW + 9 }),
        (id) => campaigns.delete("ws_one", id),
        (id) => {
          const options = { ...DEFAULT_OPTIONS, excludeListIds: ["list_few"] };
          return campaigns.changeOptions("ws_one", id, { lists: [], segments: [] }, () =>
            accept({ options }),
          );
        },
      ];
      for (const changed of changes) {
        const id = await campaign();
        await change(id, { scheduledAt: NOW });
        const plan = await begin(id, { scheduledAt: NOW });
        await walk(plan);
        await changed(id);
        expect(await plans.complete(plan, completion())).toBe("changed");
        await clear(plan);
      }
    });

    test("a letter that is not checked is handed out, and nothing else happens until it is", async () => {
      const id = await campaign();
      const plan = await begin(id);
      await walk(plan);
      const written = { subject: "S", html: "<p>", list: { id: "list_all", name: "The list_all" } };
      const seen: unknown[] = [];
      const unchecked = { ...completion(null, seen), isChecked: (letter: unknown) => void seen.push(letter) };
      expect(await plans.complete(plan, unchecked as any)).toMatchObject({ unchecked: written });
      expect(seen).toMatchObject([written]);
      expect(await usage()).not.toContain(6);
      expect(await opened.stores.campaigns.find("ws_one", id)).toMatchObject({ mailing: null });
      const refusal: Refusal = { code: "VALIDATION_ERROR", message: "no" };
      const check = (_: unknown, letter: unknown): Refusal => (seen.push(letter), refusal);
      expect(await plans.complete(plan, { ...completion(), check })).toEqual({ refused: refusal });
      // Bun compares one object with what it finds first only.
      expect(seen).toMatchObject([written, { ...written }]);
      expect(await plans.complete(plan, completion())).toBe("complete");
      await opened.run("DELETE FROM sending_usage");
    });

    test("a person stops a plan: nobody else gets a row, and those who have one get nothing", async () => {
      const id = await campaign();
      const plan = await begin(id);
      await plans.settle(plan, NOW);
      await plans.planNext(plan, 4);
      expect(await opened.stores.sendControl.stop("ws_one", id, NOW)).toMatchObject({ ok: true });
      const planned = (await rows(plan.number)).length;
      expect(await walk(plan)).toBe("stopped");
      expect((await rows(plan.number)).length).toBe(planned);
    });

    test("campaigns are due at their time or at their next try, unless they are held", async () => {
      const { campaigns } = opened.stores;
      const due = async (now: number) =>
        (await plans.due(now, 9)).map(({ campaignId, dueAt }) => [campaignId, dueAt]);
      const [first, second] = [await campaign(), await campaign()];
      await opened.run(
        "UPDATE campaigns SET status = 'DRAFT', scheduled_at = NULL WHERE status = 'SCHEDULED'",
      );
      for (const [id, at] of [
        [first, NOW],
        [second, NOW - 5],
      ] as const)
        await campaigns.change("ws_one", id, [], () => accept({ scheduledAt: at }));
      expect(await plans.nextDueAt()).toBe(NOW - 5);
      expect(await due(NOW - 1)).toEqual([[second, NOW - 5]]);
      expect(await due(NOW)).toEqual([
        [second, NOW - 5],
        [first, NOW],
      ]);
      const late = { workspaceId: "ws_one", campaignId: second, scheduledAt: NOW - 5, dueAt: NOW - 5 };
      expect(await plans.postpone(late, "quiet", NOW + 60)).toBe(true);
      expect(await plans.postpone(late, "quiet", NOW + 70)).toBe(false);
      expect(await plans.postpone({ ...late, scheduledAt: 1 }, "other", NOW)).toBe(false);
      expect(await campaigns.find("ws_one", second)).toMatchObject({ blocked: "quiet" });
      expect(await due(NOW + 69)).toEqual([[first, NOW]]);
      expect(await due(NOW + 70)).toEqual([
        [first, NOW],
        [second, NOW + 70],
      ]);
      await plans.postpone(late, "far", NOW + 10 ** 12);
      expect(await due(NOW)).toEqual([
        [first, NOW],
        [second, NOW],
      ]);
      await plans.postpone(late, "too far", NOW + 2 * MINUTE_MS + 1);
      expect(await due(NOW)).toEqual([
        [first, NOW],
        [second, NOW],
      ]);
      await plans.postpone(late, "as far as it may be", NOW + 2 * MINUTE_MS);
      expect(await due(NOW)).toEqual([[first, NOW]]);
      await plans.hold(late, "late");
      expect(await campaigns.find("ws_one", second)).toMatchObject({ blocked: "late", held: true });
      expect(await due(NOW)).toEqual([[first, NOW]]);
    });

    test("a hold ends by itself only for its reason, and where the campaign's time is still to come", async () => {
      const { campaigns } = opened.stores;
      const [late, early, copied] = [await campaign(), await campaign(), await campaign()];
      for (const [id, at, reason] of [
        [late, NOW, "late"],
        [early, NOW + 1, "late"],
        [copied, NOW + 1, "copied"],
      ] as const) {
        await campaigns.change("ws_one", id, [], () => accept({ scheduledAt: at }));
        const due = { workspaceId: "ws_one", campaignId: id, scheduledAt: at, dueAt: at };
        await plans.postpone(due, "quiet", NOW + 9);
        await plans.hold(due, reason);
      }
      expect(await plans.endHolds("late", NOW)).toEqual([early]);
      expect(await plans.endHolds("late", NOW)).toEqual([]);
      expect(await campaigns.find("ws_one", early)).toMatchObject({ blocked: null, held: false });
      for (const id of [late, copied])
        expect(await campaigns.find("ws_one", id)).toMatchObject({ held: true });
      expect(await plans.due(NOW + 1, 9)).toContainEqual({
        workspaceId: "ws_one",
        campaignId: early,
        scheduledAt: NOW + 1,
        dueAt: NOW + 1,
      });
    });

    test("a plan that is paused or held waits; who releases it lets it go on", async () => {
      const id = await campaign();
      const plan = await begin(id, { overrideQuietHours: true });
      await walk(plan);
      await opened.run(`UPDATE mailings SET held = 1 WHERE seq = ${plan.number}`);
      expect(numbers(await plans.unfinished())).not.toContain(plan.number);
      expect(await plans.leftover("ws_one", id)).toBeNull();
      expect(await opened.stores.campaigns.release("ws_one", id, NOW)).toBe("released");
      const found = (await plans.unfinished()).find(({ number }) => number === plan.number);
      expect(found).toMatchObject({
        ...plan,
        scheduledAt: null,
        state: { kind: "begun", overrideQuietHours: true },
      });
      expect(await walk(plan)).toBe("end");
      expect(await plans.complete(plan, completion())).toBe("complete");
      await opened.run("DELETE FROM sending_usage");
    });

    test("plans at the same time do not reserve more than is allowed", async () => {
      const begun = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const plan = await begin(await campaign());
          await walk(plan);
          return plan;
        }),
      );
      const capped = (): Completion => ({
        ...completion(),
        check: ({ mailable, dayUsed }) =>
          dayUsed + mailable > 16 ? { code: "VALIDATION_ERROR", message: "cap" } : null,
      });
      const ended = await Promise.all(begun.map((plan) => plans.complete(plan, capped())));
      // Six of them owe 6 messages each.
      expect(ended.filter((one) => one === "complete").length).toBe(2);
      expect(await usage()).toEqual([12, 12]);
      for (const plan of begun) await clear(plan);
    });
  });
}
