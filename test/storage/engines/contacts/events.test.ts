import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { planEventContact } from "#contacts/contact-plan.ts";
import type { JsonObject } from "#core/request/json-value.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const KEY = { id: "key_1", name: "k", prefix: "p", scope: "full", createdAt: 1 } as const;
const AT = Date.parse("2026-11-22T12:00:00Z");
const ALL = { name: null, contactId: null };

type Asked = {
  readonly name?: string;
  readonly externalId?: string | null;
  readonly properties?: JsonObject;
};

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`events on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let events: OpenedEngine["stores"]["events"];
    let made = 0;
    const record = (
      who: string,
      { name = "seen", externalId = null, properties = {} }: Asked = {},
      workspaceId = "ws_one",
    ) => {
      const n = ++made;
      const subject = who.includes("@")
        ? ({ kind: "email", email: who } as const)
        : ({ kind: "id", contactId: who } as const);
      const event = { subject, name, externalId, properties, valueCents: null, currency: null };
      return events.record(workspaceId, { ...event, id: `ev_${n}`, createdAt: AT + n }, (email) => ({
        id: `con_of_${n}`,
        write: planEventContact(email, AT + n),
      }));
    };
    const idsOf = async (filter: Parameters<typeof events.page>[1], workspaceId = "ws_one") => {
      const { items, total } = await events.page(workspaceId, filter, { limit: 100, before: null });
      return { total, ids: items.map(({ id }) => id) };
    };
    const idIn = (answer: Awaited<ReturnType<typeof record>>): string | null =>
      answer.kind === "no contact" ? null : answer.event.id;

    beforeAll(async () => {
      opened = await engine.open();
      ({ events } = opened.stores);
      for (const [n, id] of ["ws_one", "ws_two"].entries())
        await opened.stores.workspaces.create(
          { id, createdAt: 1 },
          {},
          { ...KEY, id: `key_${n}`, hash: Buffer.from(id) },
        );
    });
    afterAll(() => opened.close());

    test("an event of an unknown address makes its contact; one of an unknown id is not recorded", async () => {
      const first = await record("ada@example.com", {
        properties: { plan: "Größe", n: 1.5, list: [1, { a: null }] },
      });
      expect(first).toEqual({ kind: "recorded", event: { id: "ev_1", name: "seen", createdAt: AT + 1 } });
      expect(await record("ada@example.com")).toMatchObject({ kind: "recorded" });
      expect(await record("con_of_1", { name: "left" })).toMatchObject({ kind: "recorded" });
      expect(await record("con_gone")).toEqual({ kind: "no contact" });
      expect(await record("con_of_1", {}, "ws_two")).toEqual({ kind: "no contact" });
      const { items } = await opened.stores.contacts.page(
        "ws_one",
        { status: null, tag: null, q: null },
        { limit: 5, before: null },
      );
      expect(items).toMatchObject([{ id: "con_of_1", email: "ada@example.com", status: "PENDING" }]);
      const page = await events.page("ws_one", ALL, { limit: 2, before: null });
      expect(page).toMatchObject({ total: 3, items: [{ id: "ev_3", name: "left" }, { id: "ev_2" }] });
      const rest = await events.page("ws_one", ALL, { limit: 2, before: page.nextPosition });
      expect(rest.items).toEqual([
        {
          id: "ev_1",
          name: "seen",
          properties: { plan: "Größe", n: 1.5, list: [1, { a: null }] },
          valueCents: null,
          currency: null,
          contactId: "con_of_1",
          createdAt: AT + 1,
        },
      ]);
      expect(rest.nextPosition).toBeNull();
    });

    test("properties with what some JSON cannot hold are recorded, and found by the rest of their texts", async () => {
      const properties = { "na\0me": "GRÖ\0SSE", lone: "\ud800x", kept: "é" };
      expect(await record("odd@example.com", { name: "odd", properties })).toMatchObject({
        kind: "recorded",
      });
      const { items } = await events.page(
        "ws_one",
        { name: "odd", contactId: null },
        { limit: 1, before: null },
      );
      expect(items[0]!.properties).toMatchObject({ kept: "é" });
      const where = [
        { property: "lone", op: "endsWith", value: "X" },
        { property: "kept", op: "equals", value: "É" },
      ];
      const rules = { field: "event", op: "atLeast", name: "odd", value: 1, where };
      expect((await opened.stores.segmentMembers.count("ws_one", rules, AT)).total).toBe(1);
    });

    test("events are shown by name and by contact, with their number", async () => {
      const contactId = "con_of_1";
      expect(await idsOf({ name: "seen", contactId: null })).toEqual({ total: 2, ids: ["ev_2", "ev_1"] });
      expect(await idsOf({ name: null, contactId })).toEqual({ total: 3, ids: ["ev_3", "ev_2", "ev_1"] });
      expect(await idsOf({ name: "left", contactId })).toEqual({ total: 1, ids: ["ev_3"] });
      expect(await idsOf({ name: null, contactId: "con_gone" })).toEqual({ total: 0, ids: [] });
      expect(await idsOf({ name: "never", contactId: null })).toEqual({ total: 0, ids: [] });
      expect(await idsOf(ALL, "ws_two")).toEqual({ total: 0, ids: [] });
    });

    test("an external id is recorded once, in each workspace", async () => {
      const first = await record("eve@example.com", { externalId: "order-1" });
      const again = await record("someone.else@example.com", { externalId: "order-1", name: "other" });
      expect(first.kind).toBe("recorded");
      expect(again).toEqual({ ...first, kind: "duplicate" } as typeof again);
      expect(await record("con_gone", { externalId: "order-1" })).toEqual(again);
      expect(await record("eve@example.com", { externalId: "order-1" }, "ws_two")).toMatchObject({
        kind: "recorded",
      });
    });

    test("of many at the same time each id is recorded once, and each address has one contact", async () => {
      const before = await idsOf(ALL);
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          record(`many${n % 5}@example.com`, { externalId: `many-${n % 20}`, name: "many" }),
        ),
      );
      const kinds = Map.groupBy(answers, ({ kind }) => kind);
      expect(kinds.get("recorded")).toHaveLength(20);
      expect(kinds.get("duplicate")).toHaveLength(40);
      expect(answers.slice(0, 20).map(({ kind }) => kind)).not.toContain("duplicate");
      for (let n = 0; n < 20; n++)
        expect(new Set([n, n + 20, n + 40].map((at) => idIn(answers[at]!))).size).toBe(1);
      expect((await idsOf(ALL)).total).toBe(before.total + 20);
      expect(await opened.values("SELECT count(*) FROM contacts WHERE email LIKE 'many%'")).toEqual(
        [5].map((n) => (engine.name === "SQLite" ? n : String(n))),
      );
      const { total } = await idsOf({ name: "many", contactId: null });
      expect(total).toBe(20);
    });

    test("what comes is counted, and starts the automations that listen", async () => {
      await opened.run(
        "INSERT INTO automations (seq, id, workspace, name, status, created_at, updated_at) VALUES (7, 'auto_7', 1, 'a', 'LIVE', 1, 1)",
      );
      await opened.run(
        "INSERT INTO automation_listeners (workspace, kind, detail, automation) VALUES (1, 'custom_event', 'bought', 7)",
      );
      const [bought] = await Promise.all([
        record("ada@example.com", { name: "bought" }),
        record("ada@example.com", { name: "sold" }),
      ]);
      const started = await opened.values(
        "SELECT e.id FROM automation_starts AS s JOIN events AS e ON e.seq = s.event",
      );
      expect(started).toEqual([idIn(bought)]);
      const { total } = await idsOf(ALL);
      const counted = await opened.values("SELECT sum(events) FROM activity_counts WHERE workspace = 1");
      expect(Number(counted[0])).toBe(total);
    });
  });
}
