import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { FRONT, type Outcome, type SkipReason } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { FOR_REASON } from "#storage/postgres/ledger/delivery-reads.ts";
import { claimDot, type MadeMailing, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";

/** It stands still: no lease ends, however slow the machine is. */
const STILL: Clock = { ...systemClock, monotonicMs: () => 0 };
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

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => String(error),
  );

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
      opened = await openWithWorkspaces(engine, STILL);
      ({ ledger } = opened.stores);
      await ledger.sweep(NOW);
      ({ run } = await ledger.join(NOW, false));
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
      await opened.run("INSERT INTO sending_usage VALUES (1, '2026-11', 5)");
      const { messages } = await make("back", 2);
      const [first, second] = messages as [number, number];
      await claim(first);
      await ledger.settle(first, { state: "failed", reason: "REFUSED", reply: null }, NOW, null, "bulk");
      await claim(second);
      await ledger.settle(second, SENT, NOW, null, "bulk");
      expect(
        (await opened.values("SELECT n FROM sending_usage WHERE period = '2026-11'")).map(Number),
      ).toEqual([4]);
      await opened.run("DELETE FROM sending_usage");
    });

    test("messages to a limited domain are counted by the minute, with their claim", async () => {
      const { messages } = await make("domain", 3);
      for (const message of messages.slice(0, 2))
        expect(await claimDot(ledger, message, run, NOW, { isCounted: true })).toBe("dot");
      await claim(messages[2]!);
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

    test("opens and clicks are counted once a message; a person's is evidence that it arrived", async () => {
      const { mailing, messages } = await make("seen", 3);
      const [first, second, third] = messages as [number, number, number];
      for (const message of [first, second, third]) await claim(message);
      await ledger.settle(first, SENT, NOW, null, "bulk");
      await ledger.settle(second, { state: "uncertain", reason: "CONNECTION_LOST" }, NOW, null, "bulk");
      await ledger.settle(third, SENT, NOW, null, "bulk");
      const link = { number: 0, url: "https://a.example/" };
      const hit = { by: "person", at: NOW + 9, times: 1, link: null } as const;
      const hits = [
        { ...hit, message: first, kind: "open" },
        { ...hit, message: first, kind: "open" },
        { ...hit, message: second, kind: "click", link, times: 2 },
        { ...hit, message: first, kind: "click", link },
        { ...hit, message: third, kind: "open", by: "machine" },
      ] as const;
      const asked: unknown[] = [];
      const tooSoon = (at: number, accepted: number | null) => (asked.push([at, accepted]), false);
      await ledger.recordEngagement(hits, tooSoon);
      await ledger.recordEngagement([hits[0], hits[3]], tooSoon);
      expect(asked).toEqual([[NOW + 9, NOW]]);
      expect(await ledger.progress(mailing)).toMatchObject({
        sent: 3,
        uncertain: 0,
        opened: 1,
        clicked: 2,
        machineOpened: 1,
        suspected: 0,
      });
      expect(await column("reason", second)).toEqual(["SEEN_BY_RECIPIENT"]);
      const clicks = `SELECT clicks || ' ' || recipients FROM link_clicks WHERE mailing = ${mailing}`;
      expect(await opened.values(clicks)).toEqual(["4 2"]);
      expect(await ledger.markUnsubscribed(first, NOW + 20)).toBe(true);
      expect(await ledger.markUnsubscribed(first, NOW + 21)).toBe(false);
      expect(await ledger.recipient(first)).toEqual({
        workspaceId: "ws_one",
        mailing,
        address: "seen0@example.com",
        contactId: "con_seen0",
        unsubscribedAt: NOW + 20,
      });
      expect(await ledger.recipient(10_000_000)).toBeNull();
    });

    test("a message's links are its mailing's, but for those that differ", async () => {
      const { mailing, messages } = await make("link", 3);
      const [first, second, third] = messages as [number, number, number];
      const shared = ["https://a.example/", "https://b.example/"];
      await ledger.saveMessageLinks(mailing, first, { urls: shared, personal: [false, false] });
      await ledger.saveMessageLinks(mailing, second, {
        urls: [shared[0]!, "https://you.example/"],
        personal: [false, true],
      });
      await ledger.saveMessageLinks(mailing, third, { urls: [], personal: [] });
      expect([await ledger.link(first, 0), await ledger.link(first, 1)]).toEqual(shared);
      expect([await ledger.link(second, 0), await ledger.link(second, 1)]).toEqual([
        shared[0]!,
        "https://you.example/",
      ]);
      expect([
        await ledger.link(third, 0),
        await ledger.link(first, 7),
        await ledger.link(9_999_999, 0),
      ]).toEqual([null, null, null]);
      await ledger.saveMessageLinks(mailing, second, { urls: shared, personal: [false, false] });
      expect(await ledger.link(second, 1)).toBe(shared[1]!);
      await ledger.saveLinks(mailing, ["https://other.example/", "x", "https://c.example/"]);
      expect([await ledger.link(first, 0), await ledger.link(first, 2)]).toEqual([
        shared[0]!,
        "https://c.example/",
      ]);
      await ledger.saveMessageLinks(mailing, second, { urls: ["https://mine.example/"], personal: [true] });
      await opened.run("DELETE FROM contacts WHERE id = 'con_link1'");
      expect(await ledger.link(second, 0)).toBeNull();
    });

    test("a letter is kept, and a message can be made of it again while its contact is there", async () => {
      const { mailing, messages } = await make("kept", 1);
      const message = messages[0]!;
      expect(await ledger.content(mailing)).toMatchObject({ subject: "Hi", offersPreferences: false });
      await ledger.saveContent(mailing, { ...(await ledger.content(mailing)), html: "<b>" });
      expect(await ledger.sentLetter(message)).toBeNull();
      await ledger.saveValues(message, '{"a":1}', NOW);
      await ledger.saveValues(message, '{"a":2}', NOW + 1);
      expect(await ledger.sentLetter(message)).toMatchObject({
        mailing: { number: mailing, workspaceId: "ws_one", kind: "campaign", sourceId: "cmp_kept" },
        content: { html: "<b>" },
        address: "kept0@example.com",
        kept: '{"a":2}',
        at: NOW + 1,
      });
      await opened.run("DELETE FROM contacts WHERE id = 'con_kept0'");
      expect(await ledger.sentLetter(message)).toBeNull();
      expect(await messageOf(ledger.content(9_999_999))).toContain("9999999");
      expect(await messageOf(ledger.progress(9_999_999))).toContain("9999999");
    });

    test("pages of a mailing come newest first, by state, reason and address", async () => {
      const { mailing, messages } = await make("page", 5);
      for (const message of messages.slice(0, 3)) await claim(message);
      await ledger.settle(messages[0]!, SENT, NOW, null, "bulk");
      await ledger.settle(messages[1]!, { state: "uncertain", reason: "CONNECTION_LOST" }, NOW, null, "bulk");
      const page = async (filter: object, limit = 10, before: number | null = null) => {
        const all = { state: null, email: null, reason: null, ...filter };
        const found = await ledger.deliveries(mailing, all, { limit, before });
        return [found.items.map(({ email }) => email.slice(4, 5)).join(""), found.total];
      };
      expect(await page({})).toEqual(["43210", 5]);
      expect(await page({}, 2, messages[3])).toEqual(["21", 5]);
      expect(await page({ state: "queued" })).toEqual(["43", 2]);
      expect(await page({ state: "dot" })).toEqual(["2", 1]);
      expect(await page({ state: "uncertain" })).toEqual(["1", 1]);
      expect(await page({ reason: "CONNECTION_LOST" })).toEqual(["1", 1]);
      expect(await page({ state: "sent", reason: "CONNECTION_LOST" })).toEqual(["", 0]);
      expect(await page({ email: "page0@example.com" })).toEqual(["0", 1]);
      expect(await page({ email: "page0@example.com", state: "queued" })).toEqual(["", 0]);
    });

    test("pages by a reason have it in whatever state, newest first, and go on where they stopped", async () => {
      const { mailing, messages } = await make("why", 6);
      for (const message of messages) await claim(message);
      const reason = "MAILBOX_FULL";
      const full = { code: 452, enhanced: "4.2.2", text: "full" };
      const deferred = { state: "queued", reason, reply: full, nextAttemptAt: NOW + 5 } as const;
      for (const n of [1, 4]) await ledger.settle(messages[n]!, deferred, NOW, null, "bulk");
      await ledger.settle(messages[2]!, { state: "failed", reason, reply: full }, NOW, null, "bulk");
      await ledger.settle(messages[5]!, { state: "bounced", reason, reply: full }, NOW, null, "bulk");
      await ledger.settle(messages[0]!, SENT, NOW, null, "bulk");
      const page = async (filter: object, limit = 10, before: number | null = null) => {
        const all = { state: null, email: null, reason, ...filter };
        const found = await ledger.deliveries(mailing, all, { limit, before });
        return [found.items.map(({ email }) => email.slice(3, 4)).join(""), found.total, found.nextPosition];
      };
      expect(await page({})).toEqual(["5421", 4, null]);
      expect(await page({}, 2)).toEqual(["54", 4, messages[4]!]);
      expect(await page({}, 2, messages[4])).toEqual(["21", 4, null]);
      expect(await page({ state: "queued" })).toEqual(["41", 2, null]);
      expect(await page({ state: "failed" })).toEqual(["2", 1, null]);
      expect(await page({ state: "sent" })).toEqual(["", 0, null]);
      await opened.run(`UPDATE deliveries SET state = 'sent' WHERE seq = ${messages[2]}`);
      // SQLite's triggers have counted it.
      if (engine.name === "PostgreSQL")
        await opened.run(
          `UPDATE mailing_reasons SET state = 'sent' WHERE mailing = ${mailing} AND state = 'failed'`,
        );
      expect(await page({})).toEqual(["5421", 4, null]);
    });

    test.if(engine.name === "PostgreSQL")("a page by a reason reads only messages with it", async () => {
      for (const setting of ["enable_seqscan = off", "enable_bitmapscan = off"])
        await opened.run(`SET ${setting}`);
      const values = ["1", "9007199254740991", "51", "'HARD_BOUNCE'", "'{queued,failed,bounced}'"];
      const statement = FOR_REASON.replaceAll(/\$(\d)/g, (_, n: string) => values[Number(n) - 1]!);
      const plan = (await opened.values(`EXPLAIN ${statement}`)).join("\n");
      expect(plan).toContain("delivery_ends_by_reason");
      expect(plan).toContain("retries");
      // Whole mailings have this index.
      expect(plan).not.toMatch(/deliveries_by_mailing|Seq Scan/);
      for (const setting of ["enable_seqscan", "enable_bitmapscan"]) await opened.run(`RESET ${setting}`);
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
