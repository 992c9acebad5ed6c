import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SendControlStore } from "#campaigns/send/send-control.ts";
import { systemClock, type Clock } from "#core/time/clock.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { claimDot, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

/** It stands still: no lease ends, however slow the machine is. */
const STILL: Clock = { ...systemClock, monotonicMs: () => 0 };
const NOW = 1_800_000_000_000;
const OK = { code: 250, enhanced: null, text: "taken" };
const DONE = { ok: true, value: "done" } as const;
const WRONG = { ok: false, refusal: { code: "WRONG_STATE" } } as const;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`pausing and stopping sends on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let sends: SendControlStore;
    let ledger: LedgerStore;
    let run = 0;
    const make = (prefix: string, people: number, phase?: "planning" | "sending") =>
      makeMailing({ engine, opened }, { prefix, people, ...(phase === undefined ? {} : { phase }) });
    const campaign = async (prefix: string) =>
      (await opened.stores.campaigns.find("ws_one", `cmp_${prefix}`))!;
    const sendable = async () => (await ledger.sendable()).map(({ sourceId }) => sourceId);
    const usage = async () =>
      (await opened.values("SELECT n FROM sending_usage WHERE period = '2026-11'")).map(Number);

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine, STILL);
      ({ sendControl: sends, ledger } = opened.stores);
      ({ run } = await ledger.join(NOW, false));
    });
    afterAll(() => opened.close());

    test("a pause holds a send with its first reason until it is resumed", async () => {
      await make("hold", 2);
      expect(await sendable()).toContain("cmp_hold");
      expect(await sends.pause("ws_one", "cmp_hold", "first")).toEqual(DONE);
      expect(await sends.pause("ws_one", "cmp_hold", "second")).toEqual(DONE);
      expect((await campaign("hold")).paused).toBe("first");
      expect(await sendable()).not.toContain("cmp_hold");
      expect(await sends.resume("ws_one", "cmp_hold")).toEqual(DONE);
      expect((await campaign("hold")).paused).toBeNull();
      expect(await sendable()).toContain("cmp_hold");
      expect(await sends.pause("ws_two", "cmp_hold", "no")).toBeNull();
      expect(await sends.resume("ws_one", "cmp_none")).toBeNull();
    });

    test("without a send there is nothing to pause, resume or stop", async () => {
      const draft = { id: "cam_1", name: "", subject: "", body: "", listId: null, createdAt: 1 };
      await opened.stores.campaigns.insert("ws_one", draft);
      expect(await sends.pause("ws_one", "cam_1", "why")).toMatchObject(WRONG);
      expect(await sends.resume("ws_one", "cam_1")).toMatchObject(WRONG);
      expect(await sends.stop("ws_one", "cam_1", NOW)).toMatchObject(WRONG);
    });

    test("a campaign pauses itself once", async () => {
      await make("self", 1);
      const may = async () => (await sends.mayPauseThemselves()).map(({ campaignId }) => campaignId);
      expect(await may()).toContain("cmp_self");
      await sends.pauseItself("ws_one", "cmp_self", "too many");
      expect((await campaign("self")).paused).toBe("too many");
      await sends.resume("ws_one", "cmp_self");
      expect(await may()).not.toContain("cmp_self");
      await sends.pauseItself("ws_one", "cmp_self", "again");
      expect((await campaign("self")).paused).toBeNull();
    });

    test("a stopped send skips what it owes, gives back what was reserved, and its campaign is SENT", async () => {
      await opened.run("INSERT INTO sending_usage VALUES (1, '2026-11', 400)");
      const { mailing, messages } = await make("stop", 250);
      const [first, second] = messages as [number, number];
      expect(await claimDot(ledger, first, run, NOW)).toBe("dot");
      expect(await claimDot(ledger, second, run, NOW)).toBe("dot");
      const full = { state: "queued", reason: "MAILBOX_FULL", reply: null, nextAttemptAt: NOW + 9 } as const;
      await ledger.settle(second, full, NOW, null, "bulk");
      const stopped = { number: mailing, campaignId: "cmp_stop" };
      expect(await sends.stop("ws_one", "cmp_stop", NOW + 1)).toEqual({ ok: true, value: stopped });
      expect(await usage()).toEqual([400 - 249]);
      while ((await sends.skipOwed(mailing, 40, NOW + 1)) === "more");
      expect(await sends.stopped()).toEqual([]);
      expect(await ledger.reasons(mailing)).toEqual([{ state: "skipped", reason: "STOPPED", count: 249 }]);
      expect(await ledger.progress(mailing)).toMatchObject({
        phase: "stopped",
        remaining: 1,
        skipped: { STOPPED: 249 },
      });
      const skipped = { state: "skipped", email: null, reason: "STOPPED" } as const;
      expect(await ledger.deliveries(mailing, skipped, { limit: 3, before: null })).toMatchObject({
        total: 249,
      });
      await ledger.settle(first, { state: "untouched", reply: null }, NOW + 2, null, "bulk");
      expect(await ledger.progress(mailing)).toMatchObject({
        phase: "finished",
        remaining: 0,
        skipped: { STOPPED: 250 },
      });
      expect((await campaign("stop")).campaign).toMatchObject({ status: "SENT", sentAt: NOW + 2 });
      expect(await usage()).toEqual([400 - 250]);
      expect(await sends.stop("ws_one", "cmp_stop", NOW)).toMatchObject(WRONG);
      await opened.run("DELETE FROM sending_usage");
    });

    test("nothing is skipped of a send that goes on", async () => {
      const { mailing } = await make("goes", 2);
      expect(await sends.skipOwed(mailing, 40, NOW)).toBe("end");
      expect(await ledger.progress(mailing)).toMatchObject({ phase: "sending", remaining: 2, skipped: {} });
    });

    test("a stop that was left unfinished is found, and a small one is over when it is answered", async () => {
      const { mailing } = await make("left", 3);
      await opened.run(`UPDATE mailings SET phase = 'stopped' WHERE seq = ${mailing}`);
      expect(await sends.stopped()).toEqual([{ number: mailing, campaignId: "cmp_left" }]);
      expect(await sends.stop("ws_one", "cmp_left", NOW)).toMatchObject({ ok: true });
      expect((await campaign("left")).campaign).toMatchObject({ status: "SENT", sentAt: NOW });
      expect(await sends.stopped()).toEqual([]);
    });

    test("a send that is stopped while it is planned freezes its campaign, and mails nobody", async () => {
      const { mailing } = await make("plan", 2, "planning");
      await opened.run("UPDATE campaigns SET mailing = NULL, paused = 'why' WHERE id = 'cmp_plan'");
      await opened.run("INSERT INTO sending_usage VALUES (1, '2026-11', 7)");
      expect(await sends.stop("ws_one", "cmp_plan", NOW)).toMatchObject({
        ok: true,
        value: { number: mailing },
      });
      expect(await campaign("plan")).toMatchObject({ mailing, paused: null, campaign: { status: "SENT" } });
      expect(await ledger.progress(mailing)).toMatchObject({ remaining: 0, skipped: { STOPPED: 2 } });
      expect(await usage()).toEqual([7]);
      await opened.run("DELETE FROM sending_usage");
    });

    test("dots, pauses and a stop at the same time leave nothing owed and nothing reserved", async () => {
      await opened.run("INSERT INTO sending_usage VALUES (1, '2026-11', 30)");
      const { mailing, messages } = await make("race", 30);
      const dots = messages.map(async (message) => {
        if ((await claimDot(ledger, message, run, NOW)) !== "dot") return 0;
        await ledger.settle(message, { state: "sent", reply: OK }, NOW, null, "bulk");
        return 1;
      });
      const acts = [sends.pause("ws_one", "cmp_race", "why"), sends.resume("ws_one", "cmp_race")];
      const stops = [sends.stop("ws_one", "cmp_race", NOW), sends.stop("ws_one", "cmp_race", NOW)];
      await Promise.all([...acts, ...stops]);
      const sent = (await Promise.all(dots)).reduce<number>((sum, n) => sum + n, 0);
      while ((await sends.skipOwed(mailing, 100, NOW)) === "more");
      const progress = await ledger.progress(mailing);
      expect(progress).toMatchObject({ phase: "finished", planned: 30, remaining: 0, sent });
      expect((progress.skipped.STOPPED ?? 0) + sent).toBe(30);
      expect(await usage()).toEqual([sent]);
    });
  });
}
