/** What a settled message leaves: the relay's reply, strikes against its address, the end of its mailing. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "#core/time/time.ts";
import { FRONT, type Outcome } from "#deliveries/ledger.ts";
import type { LedgerStore } from "#deliveries/store.ts";
import { claimDot, type MadeMailing, makeMailing } from "../../../support/storage/engine-mailings.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openLedger } from "../../../support/storage/engine-world.ts";

const NOW = 1_800_000_000_000;
const SENT: Outcome = { state: "sent", reply: { code: 250, enhanced: "2.0.0", text: "taken" } };
const NO = { code: 550, enhanced: "5.2.1", text: "disabled" };
const REFUSED: Outcome = { state: "failed", reason: "MAILBOX_DISABLED", reply: NO };
const FULL = { code: 452, enhanced: "4.2.2", text: "full" };

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`settled messages on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let ledger: LedgerStore;
    let run = 0;
    const make = (prefix: string, people: number, workspace = 1): Promise<MadeMailing> =>
      makeMailing({ engine, opened }, { prefix, people, workspace });
    const claim = (message: number) => claimDot(ledger, message, run, NOW);
    const numberOf = async (question: string) => Number((await opened.values(question))[0]);

    beforeAll(async () => {
      ({ opened, ledger, run } = await openLedger(engine, NOW));
    });
    afterAll(() => opened.close());

    test("a relay's reply is kept until there is another one", async () => {
      const message = (await make("reply", 1)).messages[0]!;
      const reply = async () =>
        await opened.values(
          `SELECT reply_code || coalesce(' ' || reply_enhanced, '') || ' ' || reply_text FROM deliveries WHERE seq = ${message}`,
        );
      const full = { code: 452, enhanced: "4.2.2", text: "full" };
      const later = { state: "queued", reason: "MAILBOX_FULL", reply: full, nextAttemptAt: NOW + 9 } as const;
      await claim(message);
      await ledger.settle(message, later, NOW, null, "bulk");
      await claim(message);
      await ledger.settle(message, { state: "untouched", reply: null }, NOW, null, "bulk");
      expect(await reply()).toEqual(["452 4.2.2 full"]);
      await claim(message);
      const taken = { state: "sent", reply: { code: 250, enhanced: null, text: "taken" } } as const;
      await ledger.settle(message, taken, NOW, null, "bulk");
      expect(await reply()).toEqual(["250 taken"]);
    });

    test("a campaign that ends is neither blocked nor paused", async () => {
      const [message] = (await make("ends", 1)).messages;
      await claim(message!);
      await opened.run("UPDATE campaigns SET blocked = 'why', paused = 'why' WHERE id = 'cmp_ends'");
      await ledger.settle(message!, SENT, NOW, null, "bulk");
      const left =
        "SELECT status FROM campaigns WHERE id = 'cmp_ends' AND blocked IS NULL AND paused IS NULL";
      expect(await opened.values(left)).toEqual(["SENT"]);
    });

    test.each(["automation", "confirmation"])(
      "mail of the kind %s does not end when nothing is owed: the next may come",
      async (kind) => {
        const { mailing, messages } = await make(kind, 1);
        await claim(messages[0]!);
        await opened.run(`UPDATE mailings SET kind = '${kind}' WHERE seq = ${mailing}`);
        await ledger.settle(messages[0]!, SENT, NOW, null, "bulk");
        expect(await ledger.progress(mailing)).toMatchObject({ phase: "sending", remaining: 0, sent: 1 });
      },
    );

    test("what is left of a deleted campaign stays stopped when its last message is known", async () => {
      const { mailing, messages } = await make("deleted", 1);
      await claim(messages[0]!);
      await opened.run("DELETE FROM campaigns WHERE id = 'cmp_deleted'");
      await opened.run(`UPDATE mailings SET phase = 'stopped' WHERE seq = ${mailing}`);
      await ledger.settle(messages[0]!, SENT, NOW, null, "bulk");
      expect(await ledger.progress(mailing)).toMatchObject({ phase: "stopped", remaining: 0, sent: 1 });
    });

    test("what has ended is not ended again: the campaign keeps its time, and its person no late refusal", async () => {
      const [message] = (await make("over", 1)).messages;
      await claim(message!);
      await ledger.settle(message!, { state: "uncertain", reason: "CONNECTION_LOST" }, NOW, null, "bulk");
      await ledger.settle(
        message!,
        { state: "bounced", reason: "HARD_BOUNCE", reply: NO },
        NOW + 5,
        null,
        "bulk",
      );
      const seen = { by: "person", at: NOW + 9, times: 1, link: null, kind: "open" } as const;
      await ledger.recordEngagement([{ ...seen, message: message! }], () => false);
      const now = `SELECT d.state || ' ' || c.status || ' ' || m.sent_at FROM deliveries d JOIN contacts c ON c.seq = d.contact
        JOIN campaigns m ON m.mailing = d.mailing WHERE d.seq = ${message}`;
      expect(await opened.values(now)).toEqual([`sent SUBSCRIBED ${NOW}`]);
    });

    test("of a test no webhook is told, and nobody's figures count it", async () => {
      await opened.run(
        `INSERT INTO webhooks (id, workspace, url, events, state, secret, created_at)
         VALUES ('wh_1', 2, 'https://hook.example/', '["email.sent"]', 'ENABLED', 's', 1)`,
      );
      const { mailing, messages } = await make("test", 1, 2);
      await opened.run(`UPDATE mailings SET is_test = true WHERE seq = ${mailing}`);
      await claim(messages[0]!);
      await ledger.settle(messages[0]!, SENT, NOW, null, "bulk");
      expect(await ledger.progress(mailing)).toMatchObject({ sent: 1 });
      expect(await numberOf("SELECT count(*) FROM webhook_deliveries")).toBe(0);
      expect(await numberOf("SELECT count(*) FROM activity_counts WHERE workspace = 2")).toBe(0);
    });

    test("strikes of one kind, one address and one workspace are counted together", async () => {
      const dead = "dead0@example.com";
      const others = [
        [1, dead, "full"],
        [1, "dead1@example.com", "disabled"],
        [2, dead, "disabled"],
      ] as const;
      for (const [workspace, address, kind] of others)
        await opened.run(
          `INSERT INTO address_strikes VALUES (${workspace}, '${address}', '${kind}', 1, 1, 1)`,
        );
      const refuse = async (prefix: string, now: number) => {
        const [message] = (await make(prefix, 1)).messages;
        await opened.run(`UPDATE deliveries SET address = '${dead}' WHERE seq = ${message}`);
        await opened.run(`UPDATE contacts SET email = '${dead}' WHERE id = 'con_${prefix}0'`);
        await claim(message!);
        await ledger.settle(message!, REFUSED, now, "disabled", "bulk");
        await opened.run(`UPDATE contacts SET email = '${prefix}0@example.com' WHERE id = 'con_${prefix}0'`);
        return (await opened.values(`SELECT state FROM deliveries WHERE seq = ${message}`))[0];
      };
      expect(await refuse("strike", NOW)).toBe("failed");
      expect(await refuse("again", NOW + 4 * DAY_MS)).toBe("bounced");
    });

    test("mail that is taken ends the strikes of its own address only", async () => {
      await opened.run("DELETE FROM address_strikes");
      for (const [workspace, address] of [
        [1, "well0"],
        [1, "well1"],
        [2, "well0"],
      ] as const)
        await opened.run(
          `INSERT INTO address_strikes VALUES (${workspace}, '${address}@example.com', 'full', 1, 1, 1)`,
        );
      const [message] = (await make("well", 1)).messages;
      await claim(message!);
      await ledger.settle(message!, SENT, NOW, null, "bulk");
      const left = "SELECT workspace || ' ' || address FROM address_strikes ORDER BY workspace, address";
      expect(await opened.values(left)).toEqual(["1 well1@example.com", "2 well0@example.com"]);
    });

    test("of messages that wait for the same moment, each is read once", async () => {
      const { mailing, messages } = await make("tied", 3);
      const later: Outcome = { state: "queued", reason: "MAILBOX_FULL", reply: FULL, nextAttemptAt: NOW + 9 };
      for (const message of messages) await claim(message);
      for (const message of messages) await ledger.settle(message, later, NOW, null, "bulk");
      const wanted = {
        limit: 2,
        who: "all",
        domains: [],
        except: new Set<number>(),
        withPeople: false,
      } as const;
      const first = await ledger.owed(mailing, FRONT, NOW + 9, wanted);
      const second = await ledger.owed(mailing, first.through, NOW + 9, wanted);
      const read = [...first.messages, ...second.messages].map(({ number }) => number);
      expect(read).toEqual([...messages]);
    });
  });
}
