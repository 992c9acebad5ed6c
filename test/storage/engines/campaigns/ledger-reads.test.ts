/** What the ledger keeps and shows of messages after they left: opens and clicks, links, letters, pages. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Outcome } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { FOR_REASON } from "#storage/postgres/ledger/delivery-reads.ts";
import { claimDot, type MadeMailing, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openLedger } from "../../../support/storage/engine-world.ts";

const NOW = 1_800_000_000_000;
const SENT: Outcome = { state: "sent", reply: { code: 250, enhanced: "2.0.0", text: "taken" } };

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => String(error),
  );

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`what the ledger shows on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let ledger: LedgerStore;
    let run = 0;
    const make = (prefix: string, people: number): Promise<MadeMailing> =>
      makeMailing({ engine, opened }, { prefix, people });
    const claim = (message: number) => claimDot(ledger, message, run, NOW);

    beforeAll(async () => {
      ({ opened, ledger, run } = await openLedger(engine, NOW));
    });
    afterAll(() => opened.close());

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
      expect(await opened.values(`SELECT reason FROM deliveries WHERE seq = ${second}`)).toEqual([
        "SEEN_BY_RECIPIENT",
      ]);
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
  });
}
