import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { FRONT, type Outcome, type SkipReason } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { claimDot, type MadeMailing, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openLedger } from "../../../support/storage/engine-world.ts";

const NOW = 1_800_000_000_000;
const OK = { code: 250, enhanced: "2.0.0", text: "taken" };
const NO = { code: 550, enhanced: "5.1.1", text: "no such user" };
const SENT: Outcome = { state: "sent", reply: OK };
const ANYBODY = {
  limit: 100,
  who: "all",
  domains: [],
  except: new Set<number>(),
  withPeople: false,
} as const;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`the ledger on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let ledger: LedgerStore;
    let run = 0;
    const make = (prefix: string, people: number): Promise<MadeMailing> =>
      makeMailing({ engine, opened }, { prefix, people });
    const claim = (message: number) => claimDot(ledger, message, run, NOW);
    const owedOf = async (mailing: number, now = NOW) => {
      const { messages } = await ledger.owed(mailing, FRONT, now, ANYBODY);
      return messages.map(({ number }) => number).toSorted((a, b) => a - b);
    };
    const column = (name: string, message: number) =>
      opened.values(`SELECT ${name} FROM deliveries WHERE seq = ${message}`);

    beforeAll(async () => {
      ({ opened, ledger, run } = await openLedger(engine, NOW));
    });
    afterAll(() => opened.close());

    test("a message goes from queued over its dot to sent, and the campaign ends with its last one", async () => {
      const { mailing, messages } = await make("way", 2);
      const [first, second] = messages as [number, number];
      expect(await ledger.sendable()).toContainEqual({
        number: mailing,
        workspaceId: "ws_one",
        kind: "campaign",
        sourceId: "cmp_way",
      });
      expect(await ledger.skipIfBarred(first, NOW)).toBe("owed");
      expect(await claim(first)).toBe("dot");
      expect(await claim(first)).toBe("gone");
      expect(await owedOf(mailing)).toEqual([second]);
      await ledger.settle(first, SENT, NOW + 5, null, "bulk");
      expect(await ledger.progress(mailing)).toMatchObject({ phase: "sending", sent: 1, remaining: 1 });
      expect(await claim(second)).toBe("dot");
      expect(await ledger.progress(mailing)).toMatchObject({ remaining: 1 });
      await ledger.settle(second, SENT, NOW + 9, null, "bulk");
      expect(await ledger.progress(mailing)).toEqual({
        phase: "finished",
        held: false,
        planned: 2,
        remaining: 0,
        sent: 2,
        bounced: 0,
        failed: 0,
        uncertain: 0,
        skipped: {},
        accepted: 2,
        opened: 0,
        clicked: 0,
        unsubscribed: 0,
        machineOpened: 0,
        machineClicked: 0,
        suspected: 0,
        startedAt: 1,
        finishedAt: NOW + 9,
      });
      const ended = `SELECT status FROM campaigns WHERE mailing = ${mailing} AND sent_at = ${NOW + 9}`;
      expect(await opened.values(ended)).toEqual(["SENT"]);
      expect((await ledger.sendable()).map(({ number }) => number)).not.toContain(mailing);
      await ledger.settle(first, { state: "failed", reason: "LATE", reply: null }, NOW + 20, null, "bulk");
      expect(await ledger.progress(mailing)).toMatchObject({ sent: 2, failed: 0 });
    });

    test("of many claims of the same message at once, one gets the dot", async () => {
      const { mailing, messages } = await make("once", 6);
      const claims = await Promise.all(
        messages.flatMap((message) => Array.from({ length: 5 }, () => claim(message))),
      );
      expect(claims.filter((one) => one === "dot").length).toBe(6);
      await Promise.all(messages.map((message) => ledger.settle(message, SENT, NOW, null, "bulk")));
      expect(await ledger.progress(mailing)).toMatchObject({ phase: "finished", sent: 6, accepted: 6 });
    });

    test("whoever left, is suppressed or lies in a blocked domain is skipped at the dot", async () => {
      const { mailing, messages } = await make("bar", 5);
      await opened.run(`UPDATE contacts SET status = 'UNSUBSCRIBED' WHERE email = 'bar0@example.com'`);
      await opened.run(
        `INSERT INTO suppressions (workspace, address, reason, created_at) VALUES (1, 'bar1@example.com', 'COMPLAINT', 1)`,
      );
      await opened.run(`DELETE FROM contacts WHERE email = 'bar2@example.com'`);
      const barred: SkipReason[] = ["OPTED_OUT", "SUPPRESSED", "CONTACT_GONE"];
      const [left, suppressed, gone, fourth, fifth] = messages as [number, number, number, number, number];
      expect([await claim(left), await claim(suppressed), await ledger.skipIfBarred(gone, NOW)]).toEqual(
        barred,
      );
      await opened.run(
        "INSERT INTO blocked_domains (workspace, domain, created_at) VALUES (1, 'example.com', 1)",
      );
      expect(await claim(fourth)).toBe("BLOCKED_DOMAIN");
      await opened.run("DELETE FROM blocked_domains");
      expect(await claim(left)).toBe("gone");
      expect(await ledger.progress(mailing)).toMatchObject({
        remaining: 1,
        skipped: { OPTED_OUT: 1, SUPPRESSED: 1, CONTACT_GONE: 1, BLOCKED_DOMAIN: 1 },
      });
      const skipped = await ledger.deliveries(
        mailing,
        { state: "skipped", email: null, reason: "SUPPRESSED" },
        { limit: 5, before: null },
      );
      expect(skipped).toMatchObject({
        total: 1,
        items: [{ email: "bar1@example.com", reason: "SUPPRESSED" }],
      });
      expect(await claim(fifth)).toBe("dot");
    });

    test("nothing of a held or stopped mailing is claimed; what comes back from its dot is skipped", async () => {
      const { mailing, messages } = await make("stop", 2);
      const [first, second] = messages as [number, number];
      await opened.run(`UPDATE mailings SET held = 2 WHERE seq = ${mailing}`);
      expect(await claim(first)).toBe("held");
      expect((await ledger.sendable()).map(({ number }) => number)).not.toContain(mailing);
      await opened.run(`UPDATE mailings SET held = 0 WHERE seq = ${mailing}`);
      expect(await claim(first)).toBe("dot");
      await opened.run(`UPDATE mailings SET phase = 'stopped' WHERE seq = ${mailing}`);
      expect(await claim(second)).toBe("gone");
      await ledger.settle(first, { state: "untouched", reply: null }, NOW, null, "bulk");
      expect(await ledger.progress(mailing)).toMatchObject({ remaining: 1, skipped: { STOPPED: 1 } });
    });

    test("a deferred message is owed again at its time, before the others; one that comes back is owed as before", async () => {
      const { mailing, messages } = await make("later", 3);
      const [first, second, third] = messages as [number, number, number];
      const at = NOW + 60_000;
      await claim(second);
      await ledger.settle(
        second,
        {
          state: "queued",
          reason: "MAILBOX_FULL",
          reply: { code: 452, enhanced: null, text: "full\0" },
          nextAttemptAt: at,
        },
        NOW,
        null,
        "bulk",
      );
      expect(await owedOf(mailing)).toEqual([first, third]);
      expect(await ledger.nextRetryAt(NOW)).toBe(at);
      expect(await ledger.nextRetryAt(at)).toBeNull();
      const { messages: due } = await ledger.owed(mailing, FRONT, at, ANYBODY);
      expect(due.map(({ number, attempts }) => [number, attempts])).toEqual([
        [second, 1],
        [first, 0],
        [third, 0],
      ]);
      expect(await ledger.reasons(mailing)).toEqual([{ state: "queued", reason: "MAILBOX_FULL", count: 1 }]);
      expect(await claim(second)).toBe("dot");
      expect(await ledger.reasons(mailing)).toEqual([]);
      await ledger.settle(second, { state: "untouched", reply: null }, at, null, "bulk");
      expect(await owedOf(mailing, at)).toEqual([first, second, third]);
      await claim(second);
      await ledger.settle(second, SENT, at, null, "bulk");
      expect(await owedOf(mailing, at)).toEqual([first, third]);
      expect(await ledger.nextRetryAt(NOW)).toBeNull();
    });

    test("a reading goes on where the last one ended, and leaves out what is known", async () => {
      const { mailing, messages } = await make("read", 11);
      const read: number[] = [];
      let from = FRONT;
      for (;;) {
        const stretch = await ledger.owed(mailing, from, NOW, { ...ANYBODY, limit: 3 });
        read.push(...stretch.messages.map(({ number }) => number));
        from = stretch.through;
        if (stretch.isEnd) break;
      }
      expect(read).toEqual([...messages]);
      const except = new Set(messages.slice(0, 9));
      const { messages: rest } = await ledger.owed(mailing, FRONT, NOW, {
        ...ANYBODY,
        except,
        withPeople: true,
      });
      expect(rest.map(({ number, person }) => [number, person?.email])).toEqual([
        [messages[9]!, "read9@example.com"],
        [messages[10]!, "read10@example.com"],
      ]);
      const wanted = { ...ANYBODY, who: "only", domains: ["elsewhere.example"] } as const;
      expect((await ledger.owed(mailing, FRONT, NOW, wanted)).messages).toEqual([]);
      const people = await ledger.people(messages.slice(0, 2));
      expect([...people.values()].map(({ id }) => id).toSorted()).toEqual(["con_read0", "con_read1"]);
    });

    test("a refused address bounces for good: the contact, the suppression, the list", async () => {
      const { mailing, messages } = await make("dead", 1);
      const message = messages[0]!;
      await claim(message);
      await ledger.settle(message, { state: "bounced", reason: "HARD_BOUNCE", reply: NO }, NOW, null, "bulk");
      expect(await opened.values("SELECT status FROM contacts WHERE email = 'dead0@example.com'")).toEqual([
        "BOUNCED",
      ]);
      expect(
        await opened.values("SELECT reason FROM suppressions WHERE address = 'dead0@example.com'"),
      ).toEqual(["HARD_BOUNCE"]);
      expect(await ledger.progress(mailing)).toMatchObject({ bounced: 1, phase: "finished" });
      const rows = await ledger.deliveries(
        mailing,
        { state: "bounced", email: null, reason: null },
        { limit: 5, before: null },
      );
      expect(rows).toMatchObject({
        total: 1,
        items: [{ email: "dead0@example.com", reply: NO, attempts: 1 }],
      });
    });

    test("what is never sent is given back to the month, once", async () => {
      await opened.run("INSERT INTO sending_usage VALUES (1, '2026-11', 5), (1, '2026-11-20', 3)");
      const { mailing, messages } = await make("back", 3);
      const [first, second, third] = messages as [number, number, number];
      const refused: Outcome = { state: "failed", reason: "REFUSED", reply: null };
      const usage = async () =>
        (await opened.values("SELECT n FROM sending_usage ORDER BY period")).map(Number);
      await opened.run(`UPDATE mailings SET reserved_day = '2026-11-20' WHERE seq = ${mailing}`);
      await claim(first);
      await ledger.settle(first, refused, NOW, null, "bulk");
      await claim(second);
      await ledger.settle(second, SENT, NOW, null, "bulk");
      expect(await usage()).toEqual([4, 2]);
      await opened.run("UPDATE sending_usage SET n = 0");
      await claim(third);
      await ledger.settle(third, refused, NOW, null, "bulk");
      expect(await usage()).toEqual([0, 0]);
      await opened.run("DELETE FROM sending_usage");
    });

    test("messages to a limited domain are counted by the minute, with their claim", async () => {
      const { messages } = await make("domain", 3);
      for (const message of messages.slice(0, 2))
        expect(await claimDot(ledger, message, run, NOW, { isCounted: true })).toBe("dot");
      await claim(messages[2]!);
      expect(await claimDot(ledger, messages[0]!, run, NOW, { isCounted: true })).toBe("gone");
      const minute = NOW - (NOW % 60_000);
      expect(await ledger.domainSends("ws_one", ["example.com"], minute)).toEqual([{ at: minute, n: 2 }]);
      expect(await ledger.domainSends("ws_two", ["example.com"], minute)).toEqual([]);
    });

    test.if(engine.name === "SQLite")("the last dot that is coming waits for no other", async () => {
      const { messages } = await make("last", 2);
      const turnsUntilWritten = async (message: number, isLast: boolean): Promise<number> => {
        const claimed = claimDot(ledger, message, run, NOW, { isLast });
        let turns = 0;
        for (; (await column("state", message))[0] !== "dot"; turns++) await nextLoopTurn();
        expect(await claimed).toBe("dot");
        return turns;
      };
      expect(await turnsUntilWritten(messages[0]!, true)).toBeLessThan(8);
      expect(await turnsUntilWritten(messages[1]!, false)).toBeGreaterThan(8);
    });

    test("an act of webhooks is written with the move", async () => {
      await opened.run(
        `INSERT INTO webhooks (id, workspace, url, events, state, secret, created_at)
         VALUES ('wh_1', 2, 'https://hook.example/', '["email.sent","campaign.finished"]', 'ENABLED', 's', 1)`,
      );
      const told = await makeMailing({ engine, opened }, { prefix: "told", people: 1, workspace: 2 });
      await claim(told.messages[0]!);
      await ledger.settle(told.messages[0]!, SENT, NOW, null, "bulk");
      expect(await opened.values("SELECT type FROM webhook_deliveries ORDER BY seq")).toEqual([
        "email.sent",
        "campaign.finished",
      ]);
      const [data] = await opened.values("SELECT data FROM webhook_deliveries WHERE type = 'email.sent'");
      expect(JSON.parse(String(data))).toMatchObject({
        contactId: "con_told0",
        email: "told0@example.com",
        campaignId: "cmp_told",
        automationId: null,
        messageId: expect.stringContaining("@sender.example"),
      });
    });
  });
}
