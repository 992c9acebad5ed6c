import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { strongerReason } from "#suppression/reason.ts";
import type { Suppression } from "#suppression/suppression.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const entry = (email: string, more: Partial<Suppression> = {}): Suppression => ({
  email,
  reason: "MANUAL",
  source: "api",
  createdAt: 5,
  ...more,
});

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`suppressions on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let store: OpenedEngine["stores"]["suppressions"];
    const add = (one: Suppression, workspaceId = "ws_one") => store.add(workspaceId, one, strongerReason);
    const page = async (
      filter: { reason?: Suppression["reason"]; q?: string } = {},
      limit = 10,
      before: number | null = null,
    ) => {
      const found = await store.page(
        "ws_two",
        { reason: filter.reason ?? null, q: filter.q ?? null },
        { limit, before },
      );
      return { emails: found.items.map(({ email }) => email), ...found };
    };

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      store = opened.stores.suppressions;
    });
    afterAll(() => opened.close());

    test("an entry is found in its workspace, until it is removed", async () => {
      const one = entry("a@example.com");
      expect(await add(one)).toEqual({ entry: one, isNew: true });
      expect(await store.find("ws_one", one.email)).toEqual(one);
      expect(await store.find("ws_two", one.email)).toBeNull();
      expect(await store.remove("ws_two", one.email)).toBe(false);
      expect(await store.remove("ws_one", one.email)).toBe(true);
      expect(await store.remove("ws_one", one.email)).toBe(false);
      expect(await store.find("ws_one", one.email)).toBeNull();
    });

    test("the reasons of many are those of their workspace", async () => {
      await add(entry("r1@example.com", { reason: "COMPLAINT" }));
      await add(entry("r2@example.com"));
      await add(entry("r3@example.com"), "ws_two");
      const asked = ["r3@example.com", "r2@example.com", "r1@example.com", "r0@example.com"];
      expect(Object.fromEntries(await store.reasonsOf("ws_one", asked))).toEqual({
        "r1@example.com": "COMPLAINT",
        "r2@example.com": "MANUAL",
      });
      expect((await store.reasonsOf("ws_one", [])).size).toBe(0);
      for (const [email, of] of [
        ["r1@example.com", "ws_one"],
        ["r2@example.com", "ws_one"],
        ["r3@example.com", "ws_two"],
      ] as const)
        await store.remove(of, email);
    });

    test("a stronger reason replaces a weaker one with its source, and the time stays", async () => {
      const email = "b@example.com";
      await add(entry(email, { reason: "UNSUBSCRIBED", source: "form" }));
      const bounced = entry(email, { reason: "HARD_BOUNCE", source: "bounce", createdAt: 9 });
      const stored = { ...bounced, createdAt: 5 };
      expect(await add(bounced)).toEqual({ entry: stored, isNew: false });
      expect(await add(entry(email, { reason: "UNSUBSCRIBED", createdAt: 10 }))).toEqual({
        entry: stored,
        isNew: false,
      });
      expect(await store.find("ws_one", email)).toEqual(stored);
    });

    test("of many who add one address at once, one is the first, and the strongest reason stays", async () => {
      for (let round = 0; round < 5; round++) {
        const email = `race${round}@example.com`;
        const added = await Promise.all([
          ...Array.from({ length: 4 }, (_, n) => add(entry(email, { reason: "UNSUBSCRIBED", createdAt: n }))),
          add(entry(email, { reason: "COMPLAINT", createdAt: 9 })),
          ...Array.from({ length: 4 }, (_, n) => add(entry(email, { reason: "UNSUBSCRIBED", createdAt: n }))),
        ]);
        expect(added.filter(({ isNew }) => isNew)).toHaveLength(1);
        expect((await store.find("ws_one", email))!.reason).toBe("COMPLAINT");
      }
    });

    test("of an address that is added and removed at once, either an entry is left or none", async () => {
      const email = "fleeting@example.com";
      for (let round = 0; round < 5; round++) {
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, n) =>
            n % 3 === 2 ? store.remove("ws_one", email) : add(entry(email)).then(({ entry: found }) => found),
          ),
        );
        const found = answers.filter((answer) => typeof answer === "object");
        expect(found).toEqual(Array.from({ length: 8 }, () => entry(email)));
      }
    });

    test("the list goes by address; pages come newest first, by reason and by text in the address", async () => {
      const emails = ["c@one.example", "B_1@one.example", "a%@two.example", "é@two.example"];
      for (const [n, email] of emails.entries())
        await add(entry(email, { reason: n % 2 === 0 ? "MANUAL" : "COMPLAINT" }), "ws_two");
      const listed = async (after: string, limit: number) =>
        (await store.list("ws_two", after, limit)).map(({ email }) => email);
      expect(await listed("", 10)).toEqual([
        "B_1@one.example",
        "a%@two.example",
        "c@one.example",
        "é@two.example",
      ]);
      expect(await listed("a%@two.example", 1)).toEqual(["c@one.example"]);
      expect(await page()).toMatchObject({ emails: emails.toReversed(), total: 4, nextPosition: null });
      const first = await page({}, 3);
      expect(first).toMatchObject({ emails: emails.slice(1).toReversed(), total: 4 });
      expect(await page({}, 3, first.nextPosition)).toMatchObject({
        emails: [emails[0]!],
        nextPosition: null,
      });
      expect(await page({ reason: "COMPLAINT" })).toMatchObject({
        emails: [emails[3]!, emails[1]!],
        total: 2,
      });
      expect(await page({ q: "%" })).toMatchObject({ emails: [emails[2]!], total: 1 });
      expect(await page({ q: "TWO.example", reason: "MANUAL" })).toMatchObject({
        emails: [emails[2]!],
        total: 1,
      });
      expect(await page({ q: "nobody" })).toMatchObject({ emails: [], total: 0 });
      expect(await page({ q: "\0" })).toMatchObject({ emails: [], total: 0 });
    });

    test("what is added voids the confirmation links of the address, and a complaint is counted", async () => {
      const complained = "SELECT sum(complained) FROM activity_counts WHERE workspace = 1 AND at < 900000";
      const before = Number((await opened.values(complained))[0]);
      await opened.run(
        "INSERT INTO mailings (seq, workspace, kind, source_id, phase, created_at) VALUES (1, 1, 'confirmation', 's', 'sending', 1)",
      );
      await opened.run(
        "INSERT INTO deliveries (seq, mailing, address, state) VALUES (1, 1, 'v@example.com', 'sent'), (2, 1, 'w@example.com', 'sent')",
      );
      await opened.run(
        "INSERT INTO confirmations (delivery, workspace, form_id, address, created_at) VALUES (1, 1, 'f', 'v@example.com', 1), (2, 1, 'f', 'w@example.com', 1)",
      );
      await add(entry("v@example.com", { reason: "COMPLAINT", createdAt: 7 }));
      await add(entry("v@example.com", { reason: "COMPLAINT", createdAt: 8 }));
      expect(await opened.values("SELECT delivery FROM confirmations WHERE voided_at = 7")).toHaveLength(1);
      expect(Number((await opened.values(complained))[0])).toBe(before + 1);
    });

    test("a complaint that somebody entered about a person who was never mailed is counted as another sender's", async () => {
      await opened.run(
        `INSERT INTO contacts (seq, id, workspace, email, first_name, last_name, status, search, created_at)
         SELECT 900 + seq, 'ct_' || id, seq, 'read@example.com', '', '', 'SUBSCRIBED', 'read@example.com', 1 FROM workspaces`,
      );
      await opened.run(
        "INSERT INTO mailings (seq, workspace, kind, source_id, phase, created_at) VALUES (2, 1, 'campaign', 's2', 'sending', 1)",
      );
      await opened.run(
        "INSERT INTO deliveries (seq, mailing, contact, address, state) VALUES (3, 2, 901, 'read@example.com', 'sent')",
      );
      const counted = async (workspaceId: string) => {
        const [figures] = await opened.stores.stats.between(workspaceId, [900_000, 1_800_000]);
        return [figures?.complained, figures?.complainedElsewhere];
      };
      const complaint = { reason: "COMPLAINT", createdAt: 900_000 } as const;
      await add(entry("read@example.com", complaint));
      expect(await counted("ws_one")).toEqual([1, 0]);
      await add(entry("never@example.com", { ...complaint, source: "admin" }));
      await add(entry("weaker@example.com", { reason: "UNSUBSCRIBED" }));
      await add(entry("weaker@example.com", { ...complaint, source: "import" }));
      expect(await counted("ws_one")).toEqual([3, 2]);
      // A report is always about a message of ours, and its person may be deleted by now.
      await add(entry("gone@example.com", { ...complaint, source: "complaint" }));
      await add(entry("blocked@example.com", { createdAt: 900_000 }));
      expect(await counted("ws_one")).toEqual([4, 2]);
      await add(entry("read@example.com", complaint), "ws_two");
      expect(await counted("ws_two")).toEqual([1, 1]);
    });

    test("a domain is blocked once, listed by name, and paged newest first", async () => {
      const b = { domain: "b.example", createdAt: 3 };
      const a = { domain: "a.example", createdAt: 4 };
      expect(await store.blockDomain("ws_one", b)).toEqual({ entry: b, isNew: true });
      expect(await store.blockDomain("ws_one", { ...b, createdAt: 9 })).toEqual({ entry: b, isNew: false });
      await Promise.all(Array.from({ length: 6 }, () => store.blockDomain("ws_one", a)));
      await store.blockDomain("ws_two", a);
      expect(await store.blockedDomains("ws_one")).toEqual([a, b]);
      const first = await store.domainPage("ws_one", { limit: 1, before: null });
      expect(first).toMatchObject({ items: [a], total: 2 });
      expect(await store.domainPage("ws_one", { limit: 1, before: first.nextPosition })).toEqual({
        items: [b],
        total: 2,
        nextPosition: null,
      });
      expect(await store.unblockDomain("ws_one", "a.example")).toBe(true);
      expect(await store.unblockDomain("ws_one", "a.example")).toBe(false);
      expect(await store.blockedDomains("ws_two")).toEqual([a]);
    });
  });
}
