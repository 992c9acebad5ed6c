import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { areEnoughSoftReports, effectOf } from "#bounces/effect.ts";
import type { FittingReport } from "#bounces/store.ts";
import { UNREAD_LIMITS } from "#bounces/unread.ts";
import { DAY_MS } from "#core/time/time.ts";
import { makeMailing } from "../../../support/storage/engine-mailings.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const NOW = 1_800_000_000_000;
const WORDS = "smtp; 550 5.1.1 no such user";

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`bounces on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let bounces: OpenedEngine["stores"]["bounces"];

    /** Messages of one mailing, all of them sent. */
    const sent = async (prefix: string, people = 1) => {
      const made = await makeMailing({ engine, opened }, { people, prefix });
      await opened.run(
        `UPDATE deliveries SET state = 'sent', settled_at = 1 WHERE mailing = ${made.mailing}`,
      );
      return made;
    };
    const report = (message: number, kind: FittingReport["kind"], at = NOW): FittingReport => {
      const said = { reason: "USER_UNKNOWN", status: "5.1.1", words: WORDS, recipients: [] };
      return { ...said, message, kind, at, way: "smtp" };
    };
    const apply = (message: number, kind: FittingReport["kind"], at = NOW): Promise<boolean> =>
      bounces.apply(report(message, kind, at), ({ state, strikes }) =>
        effectOf(kind, state, areEnoughSoftReports(strikes, at, "UTC")),
      );
    const stateOf = async (message: number | undefined): Promise<unknown> =>
      (
        await opened.values(
          `SELECT state || coalesce(' ' || reason, '') FROM deliveries WHERE seq = ${message}`,
        )
      )[0];
    /** When the relay took it, and when it bounced nevertheless. */
    const timesOf = async (message: number | undefined): Promise<unknown> =>
      (
        await opened.values(`SELECT settled_at || ' ' || bounced_at FROM deliveries WHERE seq = ${message}`)
      )[0];
    const statusOf = async (address: string): Promise<unknown> =>
      (await opened.values(`SELECT status FROM contacts WHERE email = '${address}'`))[0];
    const reasonOf = async (address: string): Promise<unknown> =>
      (await opened.stores.suppressions.find("ws_one", address))?.reason;

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ({ bounces } = opened.stores);
    });
    afterAll(() => opened.close());

    test("a hard report bounces its message and its person, once", async () => {
      const [message] = (await sent("hard")).messages;
      const answers = await Promise.all(Array.from({ length: 6 }, () => apply(message!, "hard")));
      expect(answers.filter((isNew) => isNew)).toHaveLength(1);
      expect(await stateOf(message)).toBe("bounced USER_UNKNOWN");
      expect([await statusOf("hard0@example.com"), await reasonOf("hard0@example.com")]).toEqual([
        "BOUNCED",
        "HARD_BOUNCE",
      ]);
      expect(await opened.values("SELECT words FROM bounce_reports")).toEqual([WORDS]);
      expect(await apply(99_999, "hard")).toBe(false);
    });

    test("a report is evidence that a message arrived; one that says only that is not kept", async () => {
      const { mailing, messages } = await makeMailing({ engine, opened }, { people: 2, prefix: "dot" });
      await opened.run(`UPDATE deliveries SET state = 'uncertain' WHERE mailing = ${mailing}`);
      expect(await apply(messages[0]!, "delayed")).toBe(true);
      expect(await apply(messages[1]!, "delivered")).toBe(true);
      expect(await apply(messages[1]!, "delivered")).toBe(false);
      expect(await Promise.all(messages.map(stateOf))).toEqual([
        "sent SHOWN_BY_REPORT",
        "sent SHOWN_BY_REPORT",
      ]);
      expect(await statusOf("dot0@example.com")).toBe("SUBSCRIBED");
    });

    // SQLite has no such rows.
    test.skipIf(engine.name === "SQLite")(
      "a report about a message that still names a deleted contact is kept without it",
      async () => {
        const [message] = (await sent("gone")).messages;
        await opened.run("DELETE FROM contacts WHERE email = 'gone0@example.com'");
        await opened.run(`UPDATE deliveries SET contact = 1000000 WHERE seq = ${message}`);
        expect(await apply(message!, "complaint")).toBe(true);
        expect(await reasonOf("gone0@example.com")).toBe("COMPLAINT");
        const kept = `SELECT kind FROM bounce_reports WHERE delivery = ${message} AND contact IS NULL`;
        expect(await opened.values(kept)).toEqual(["complaint"]);
      },
    );

    test("a message that bounces after the relay took it counts once among a campaign's messages", async () => {
      const count = () => opened.stores.ledger.campaignMessagesSince("ws_one", 0);
      const before = await count();
      const taken = await sent("later");
      await opened.run(
        `INSERT INTO mailing_activity (mailing, at, sent, opened, clicked, bounced, unsubscribed)
         VALUES (${taken.mailing}, 0, 1, 0, 0, 0, 0)`,
      );
      expect((await count()) - before).toBe(1);
      await apply(taken.messages[0]!, "hard");
      expect((await count()) - before).toBe(1);
      expect(await timesOf(taken.messages[0])).toBe(`1 ${NOW}`);
      const unsure = await makeMailing({ engine, opened }, { people: 1, prefix: "unsure" });
      await opened.run(`UPDATE deliveries SET state = 'uncertain' WHERE mailing = ${unsure.mailing}`);
      await apply(unsure.messages[0]!, "hard");
      expect(await stateOf(unsure.messages[0])).toBe("bounced USER_UNKNOWN");
      expect((await count()) - before).toBe(2);
    });

    test("soft reports of three days are proof, also where they come at the same time", async () => {
      const mailings = [await sent("soft1"), await sent("soft2"), await sent("soft3")];
      const messages = mailings.map(({ messages: [message] }) => message!);
      await opened.run(
        `UPDATE deliveries SET address = 'soft10@example.com' WHERE seq IN (${messages.join(", ")})`,
      );
      await Promise.all(messages.map((message, n) => apply(message, "soft", NOW + n * DAY_MS)));
      expect(await statusOf("soft10@example.com")).toBe("BOUNCED");
    });

    test("a complaint opts the person out", async () => {
      const [message] = (await sent("complains")).messages;
      expect(await apply(message!, "complaint")).toBe(true);
      expect(await apply(message!, "complaint")).toBe(false);
      expect(await stateOf(message)).toBe("sent");
      expect([await statusOf("complains0@example.com"), await reasonOf("complains0@example.com")]).toEqual([
        "UNSUBSCRIBED",
        "COMPLAINT",
      ]);
      const marked = await opened.values(`SELECT complained_at FROM deliveries WHERE seq = ${message}`);
      expect(marked.map(Number)).toEqual([NOW]);
    });

    test("a message is found by its number, by its campaign, and as the only one to its contact", async () => {
      const [message] = (await sent("found")).messages;
      const address = "found0@example.com";
      expect(await bounces.findMessage(message!)).toEqual({
        number: message!,
        workspaceId: "ws_one",
        address,
        isTest: false,
      });
      expect(await bounces.findMessage(99_999)).toBeNull();
      const source = { workspaceId: "ws_one", kind: "campaign", id: "cmp_found" };
      expect(await bounces.findBySource(source, address)).toEqual([message!]);
      expect(await bounces.findBySource({ ...source, workspaceId: "ws_two" }, address)).toEqual([]);
      expect(await bounces.findBySource({ ...source, id: "cmp_foun" }, address)).toEqual([]);
      expect(await bounces.findSentTo("ws_one", address)).toEqual([message!]);
      await opened.run("UPDATE mailings SET source_id = 'cmp_found:2026-11' WHERE source_id = 'cmp_found'");
      expect(await bounces.findBySource(source, address)).toEqual([message!]);
    });

    test("complaints go to the workspaces that take them at the domain", async () => {
      for (const [workspace, takes] of [
        ["1", "on"],
        ["2", "off"],
      ])
        for (const [key, value] of [
          ["bounceDomain", "b.example"],
          ["inboundComplaints", takes],
        ])
          await opened.run(
            `INSERT INTO settings (workspace, key, value) VALUES (${workspace}, '${key}', '${value}')`,
          );
      expect(await bounces.complaintsGoTo("b.example")).toEqual(["ws_one"]);
      expect(await bounces.complaintsGoTo("c.example")).toEqual([]);
    });

    test("mails that nobody could read are kept once, shown, and removed", async () => {
      const mail = (text: string, workspaceId: string | null = "ws_one") => {
        const raw = Buffer.from(text);
        return { workspaceId, way: "smtp", from: "a@b.example", subject: "S", raw, receivedAt: NOW } as const;
      };
      const kept = await Promise.all(Array.from({ length: 4 }, () => bounces.keep(mail("one"))));
      expect(kept.filter((isNew) => isNew)).toHaveLength(1);
      await bounces.keep(mail("two"));
      await bounces.keep(mail("nobody's", null));
      expect(await bounces.keep(mail("nobody's", null))).toBe(false);
      expect((await bounces.unread(null)).map(({ workspaceId }) => workspaceId)).toEqual([
        null,
        "ws_one",
        "ws_one",
      ]);
      const [two, one] = await bounces.unread("ws_one");
      expect(two).toEqual({
        number: two!.number,
        workspaceId: "ws_one",
        way: "smtp",
        from: "a@b.example",
        subject: "S",
        sizeBytes: 3,
        receivedAt: NOW,
      });
      const page = await bounces.unreadPage("ws_one", { limit: 1, before: null });
      expect([page.items.map(({ number }) => number), page.total]).toEqual([[two!.number], 2]);
      const next = await bounces.unreadPage("ws_one", { limit: 1, before: page.nextPosition });
      expect(next.items.map(({ number }) => number)).toEqual([one!.number]);
      const found = await bounces.findUnread("ws_one", one!.number);
      expect(Buffer.from(found!.raw).toString()).toBe("one");
      expect(await bounces.findUnread("ws_two", one!.number)).toBeNull();
      expect(Buffer.from((await bounces.readUnread(two!.number))!).toString()).toBe("two");
      expect(await bounces.removeUnread(one!.number, "ws_two")).toBe(false);
      expect(await bounces.removeUnread(one!.number, "ws_one")).toBe(true);
      expect(await bounces.removeUnread(two!.number, null)).toBe(true);
      expect(await bounces.readUnread(two!.number)).toBeNull();
    });

    test("unread mails that are too old, or too many bytes, go, the oldest first", async () => {
      const keep = (text: string, receivedAt: number) => {
        const raw = Buffer.from(text);
        return bounces.keep({ workspaceId: "ws_two", way: "smtp", from: "", subject: text, raw, receivedAt });
      };
      await keep("old", NOW - UNREAD_LIMITS.ageMs - 1);
      await keep("big", NOW);
      await opened.run(`UPDATE unread_mails SET size_bytes = ${UNREAD_LIMITS.bytes} WHERE subject = 'big'`);
      await keep("new", NOW);
      expect((await bounces.unread("ws_two")).map(({ subject }) => subject)).toEqual(["new"]);
    });
  });
}
