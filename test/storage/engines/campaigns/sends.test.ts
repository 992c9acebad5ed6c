import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { accept, refuse } from "#core/errors/errors.ts";
import type { Outcome } from "#deliveries/ledger.ts";
import type { SendRow } from "#transactional/answer.ts";
import type { Begun, BegunSend, NewSend } from "#transactional/store.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { claimDot } from "../../../support/storage/engine-mailings.ts";

/** It stands still: no lease ends, however slow the machine is. */
const STILL: Clock = { ...systemClock, monotonicMs: () => 0 };
const NOW = 1_800_000_000_000;
const FULL = refuse("QUOTA_EXCEEDED", "full").refusal;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`requests and their messages on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let run = 0;
    let made = 0;
    const send = (over: Partial<NewSend>): NewSend => ({
      id: `snd_${++made}`,
      workspaceId: "ws_one",
      addresses: ["a@example.com"],
      tags: [],
      from: { address: "me@sender.example" },
      keyed: null,
      month: "2026-11",
      now: NOW,
      repeat: () => accept(null),
      checkQuota: () => null,
      ...over,
    });
    const begunOf = (begun: Begun) => {
      if (begun.kind !== "begun") throw new Error(begun.kind);
      return begun;
    };
    const used = async () =>
      (await opened.values("SELECT n FROM sending_usage WHERE workspace = 1 AND period = '2026-11'")).map(
        Number,
      );

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine, STILL);
      ({ run } = await opened.stores.ledger.join(NOW, false));
      await opened.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
         VALUES ('con_a', 1, 'a@example.com', '', '', 'UNSUBSCRIBED', '', 1)`,
      );
      await opened.run(
        "INSERT INTO suppressions (workspace, address, reason, created_at) VALUES (1, 'bad@example.com', 'HARD_BOUNCE', 1)",
      );
    });
    afterAll(() => opened.close());

    test("a request is written whole: its messages, those it skips, its share of the month", async () => {
      const { sends, ledger, messages } = opened.stores;
      const counts: unknown[] = [];
      const begun = await sends.begin(
        send({
          id: "snd_whole",
          addresses: ["z@example.com", "bad@example.com", "a@example.com"],
          tags: ["welcome"],
          checkQuota: (given) => (counts.push(given), null),
        }),
      );
      const { mailing, owed } = begunOf(begun);
      expect([owed, counts]).toEqual([2, [{ wanted: 2, used: 0 }]]);
      expect(await used()).toEqual([2]);
      expect(await ledger.progress(mailing)).toMatchObject({
        phase: "sending",
        planned: 3,
        remaining: 2,
        skipped: { SUPPRESSED: 1 },
      });
      const page = await messages.page("ws_one", { email: null, state: null }, { limit: 10, before: null });
      expect(page.total).toBe(3);
      expect(page.items.map(({ email, state, contactId }) => [email, state, contactId])).toEqual([
        ["a@example.com", "QUEUED", "con_a"],
        ["bad@example.com", "SKIPPED", null],
        ["z@example.com", "QUEUED", null],
      ]);
      expect(page.items[0]).toMatchObject({
        sendId: "snd_whole",
        tags: ["welcome"],
        from: "me@sender.example",
        createdAt: NOW,
        attempts: 0,
        reply: null,
      });
      const skipped = await messages.page(
        "ws_one",
        { email: null, state: "SKIPPED" },
        { limit: 10, before: null },
      );
      expect([skipped.total, skipped.items.length]).toEqual([1, 1]);
      const ofOne = await messages.page(
        "ws_one",
        { email: "a@example.com", state: "QUEUED" },
        { limit: 10, before: null },
      );
      expect([ofOne.total, ofOne.items.length]).toEqual([1, 1]);
      expect(
        (await messages.page("ws_two", { email: null, state: null }, { limit: 1, before: null })).total,
      ).toBe(0);
    });

    test("its messages are sent as others are, and a look shows what became of them", async () => {
      const { sends, ledger, messages } = opened.stores;
      const { mailing } = begunOf(
        await sends.begin(send({ addresses: ["b@example.com"], month: "2026-12" })),
      );
      const request: BegunSend = {
        id: "x",
        workspaceId: "ws_one",
        mailing,
        owed: 1,
        keyed: null,
        begunAt: NOW,
      };
      let number = 0;
      await sends.conclude(request, ([row]) => ((number = row!.number), null));
      expect(await claimDot(ledger, number, run, NOW, { urgency: "awaited" })).toBe("dot");
      expect(await messages.find("ws_one", number)).toMatchObject({ state: "QUEUED" });
      const reply = { code: 250, enhanced: null, text: "ok" };
      await ledger.settle(number, { state: "sent", reply }, NOW + 3, null, "awaited");
      expect(await messages.find("ws_one", number)).toMatchObject({
        state: "SENT",
        reply,
        settledAt: NOW + 3,
        attempts: 1,
      });
      expect(await messages.find("ws_two", number)).toBeNull();
      expect(await messages.reports(number)).toEqual([]);
      expect(await ledger.progress(mailing)).toMatchObject({ phase: "finished" });
    });

    test("what is given up has failed, and is given back to the month", async () => {
      const { sends, ledger } = opened.stores;
      const before = (await used())[0]!;
      const { mailing } = begunOf(await sends.begin(send({ addresses: ["c@example.com", "d@example.com"] })));
      expect(await used()).toEqual([before + 2]);
      await sends.giveUp(mailing, "TIMED_OUT", NOW + 1);
      expect(await used()).toEqual([before]);
      expect(await ledger.progress(mailing)).toMatchObject({ phase: "finished", failed: 2, remaining: 0 });
      expect(await ledger.reasons(mailing)).toEqual([{ state: "failed", reason: "TIMED_OUT", count: 2 }]);
    });

    test("what stands at its dot when a request is given up may end; what comes back has failed, and is given back", async () => {
      const { sends, ledger, messages } = opened.stores;
      const before = (await used())[0]!;
      const five = ["sent", "untouched", "queued", "lost", "owed"].map((name) => `${name}@example.com`);
      const { mailing } = begunOf(await sends.begin(send({ addresses: five })));
      const request: BegunSend = {
        id: "x",
        workspaceId: "ws_one",
        mailing,
        owed: 5,
        keyed: null,
        begunAt: NOW,
      };
      let rows: readonly SendRow[] = [];
      const look = () => sends.conclude(request, (seen) => ((rows = seen), null));
      await look();
      const numbers = rows.map(({ number }) => number);
      const [sent, untouched, deferred, lost] = numbers as [number, number, number, number];
      for (const number of numbers.slice(0, 4))
        expect(await claimDot(ledger, number, run, NOW, { urgency: "awaited" })).toBe("dot");
      await sends.giveUp(mailing, "TIMED_OUT", NOW + 1);
      expect(await used()).toEqual([before + 4]);
      const settle = (number: number, outcome: Outcome) =>
        ledger.settle(number, outcome, NOW + 2, null, "awaited");
      await settle(untouched, { state: "untouched", reply: null });
      await settle(deferred, { state: "queued", reason: "TEMPORARY", reply: null, nextAttemptAt: NOW + 3 });
      await look();
      expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
        ["dot", null],
        ["failed", "RELAY_UNAVAILABLE"],
        ["failed", "TEMPORARY"],
        ["dot", null],
        ["failed", "TIMED_OUT"],
      ]);
      for (const number of [untouched, deferred]) {
        expect(await ledger.skipIfBarred(number, NOW + 4)).toBe("gone");
        expect(await claimDot(ledger, number, run, NOW + 4, { urgency: "awaited" })).toBe("gone");
        expect(await messages.find("ws_one", number)).toMatchObject({ state: "FAILED" });
      }
      await settle(sent, { state: "sent", reply: { code: 250, enhanced: null, text: "ok" } });
      await settle(lost, { state: "uncertain", reason: "CONNECTION_LOST" });
      expect(await used()).toEqual([before + 2]);
      expect(await ledger.progress(mailing)).toMatchObject({
        phase: "finished",
        remaining: 0,
        sent: 1,
        failed: 3,
        uncertain: 1,
        skipped: {},
      });
    });

    test("of requests with the same key at once, one begins; the others see it", async () => {
      const { sends } = opened.stores;
      const keyed = { key: "k1", bodyHash: Buffer.from("one") };
      const seen: unknown[] = [];
      const begun = await Promise.all(
        Array.from({ length: 6 }, () =>
          sends.begin(
            send({
              keyed,
              repeat: (kept) =>
                kept === null ? accept(null) : (seen.push(kept), refuse("VALIDATION_ERROR", "busy")),
            }),
          ),
        ),
      );
      expect(begun.filter(({ kind }) => kind === "begun").length).toBe(1);
      expect(begun.filter(({ kind }) => kind === "refused").length).toBe(5);
      expect(seen.length).toBeGreaterThanOrEqual(5);
      expect(await sends.findKey("ws_one", "k1")).toMatchObject({ answer: null, createdAt: NOW });
      expect(await sends.findKey("ws_two", "k1")).toBeNull();
    });

    test("a key remembers its answer, or is free again; a refused request keeps none", async () => {
      const { sends } = opened.stores;
      const keyed = { key: "k2", bodyHash: Buffer.from("two") };
      const refused = await sends.begin(send({ keyed, checkQuota: () => FULL }));
      expect(refused).toEqual({ kind: "refused", refusal: FULL });
      expect(await sends.findKey("ws_one", "k2")).toBeNull();
      const { mailing } = begunOf(await sends.begin(send({ keyed })));
      const request: BegunSend = { id: "x", workspaceId: "ws_one", mailing, owed: 1, keyed, begunAt: NOW };
      const answer = { id: "x", status: "queued" } as never;
      await sends.conclude(request, () => ({ answer, isKeyFree: false, failures: [] }));
      expect(await sends.findKey("ws_one", "k2")).toMatchObject({ answer });
      const repeated = await sends.begin(send({ keyed, repeat: (kept) => accept(kept?.answer ?? null) }));
      expect(repeated).toEqual({ kind: "repeated", answer });
      await sends.conclude(request, () => ({ answer, isKeyFree: true, failures: [] }));
      expect(await sends.findKey("ws_one", "k2")).toBeNull();
      // The same once more, as after a lost answer: another request has the key by now.
      expect((await sends.begin(send({ keyed, now: NOW + 1 }))).kind).toBe("begun");
      for (const isKeyFree of [true, false])
        await sends.conclude(request, () => ({ answer, isKeyFree, failures: [] }));
      expect(await sends.findKey("ws_one", "k2")).toMatchObject({ answer: null, createdAt: NOW + 1 });
    });

    test("the limit of a month holds for requests that come at once", async () => {
      const { sends } = opened.stores;
      const month = "2027-01";
      const checkQuota = ({ wanted, used: n }: { wanted: number; used: number }) =>
        wanted + n > 5 ? FULL : null;
      const begun = await Promise.all(
        Array.from({ length: 12 }, () => sends.begin(send({ month, checkQuota }))),
      );
      expect(begun.filter(({ kind }) => kind === "begun").length).toBe(5);
      expect(
        (await opened.values("SELECT n FROM sending_usage WHERE period = '2027-01'")).map(Number),
      ).toEqual([5]);
    });

    test("tests of campaigns count among themselves only, and reach no suppressed address", async () => {
      const { sends, messages } = opened.stores;
      const all = { email: null, state: null };
      const before = (await messages.page("ws_one", all, { limit: 1, before: null })).total;
      const earlier: unknown[] = [];
      const begin = (now: number, isFull = false) =>
        sends.beginTest({
          id: `tst_${++made}`,
          workspaceId: "ws_one",
          addresses: ["a@example.com", "bad@example.com"],
          now,
          checkRate: (tests) => (earlier.push(tests), isFull ? { retryAfterS: 7 } : null),
        });
      expect(await begin(NOW)).toMatchObject({ kind: "begun", owed: 1 });
      expect(await begin(NOW + 1, true)).toEqual({ kind: "too many", retryAfterS: 7 });
      expect(earlier).toEqual([[], [{ at: NOW, addresses: 2 }]]);
      expect((await messages.page("ws_one", all, { limit: 1, before: null })).total).toBe(before);
    });
  });
}
