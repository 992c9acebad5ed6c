import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accept, refuse } from "#core/errors/errors.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import type { Reference } from "#segments/references.ts";
import { newList } from "../../../support/people/lists.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const KEY = { id: "key_1", name: "k", prefix: "p", scope: "full", createdAt: 1 } as const;
const NOBODY: JsonValue = { field: "tag", op: "equals", value: "none" };
const ADAS: JsonValue = { field: "email", op: "startsWith", value: "ada" };
const EVERYBODY: JsonValue = { not: NOBODY };
const NO_FILTER = { status: null, tag: null, q: null };
const to = (kind: Reference["kind"], id: string): Reference => ({ kind, id, path: "rules.value" });
const inSegment = (id: string): JsonValue => ({ field: "segment", op: "equals", value: id });

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`segments on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let segments: OpenedEngine["stores"]["segments"];
    let members: OpenedEngine["stores"]["segmentMembers"];
    let made = 0;
    const insert = (rules: JsonValue, references: readonly Reference[] = [], id = `seg_${++made}`) =>
      segments.insert("ws_one", { id, name: `Segment ${id}`, rules, createdAt: 5 }, references, () =>
        accept(null),
      );
    const added = async (...asked: Parameters<typeof insert>) => {
      const answer = await insert(...asked);
      if (!answer.ok) throw new Error(answer.refusal.message);
      return answer.value;
    };

    beforeAll(async () => {
      opened = await engine.open();
      ({ segments, segmentMembers: members } = opened.stores);
      for (const [n, id] of ["ws_one", "ws_two"].entries())
        await opened.stores.workspaces.create(
          { id, createdAt: 1 },
          {},
          { ...KEY, id: `key_${n}`, hash: Buffer.from(id) },
        );
      const statuses = ["SUBSCRIBED", "PENDING", "SUBSCRIBED", "BOUNCED"];
      const people = Array.from(
        { length: 12 },
        (_, n) =>
          `('con_${n}', ${n === 11 ? 2 : 1}, '${n % 3 === 0 ? "ada" : "bob"}${n}@example.com', '', '', '${statuses[n % 4]}', '${n % 3 === 0 ? "ada" : "bob"}${n}@example.com', 1)`,
      );
      await opened.run(
        `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at) VALUES ${people.join(", ")}`,
      );
      await opened.stores.lists.insert("ws_one", newList("list_1", { name: "News" }));
    });
    afterAll(() => opened.close());

    test("a segment is found in its workspace only, and changed by a rule", async () => {
      const segment = await added(ADAS);
      expect(segment).toEqual({
        id: segment.id,
        name: `Segment ${segment.id}`,
        rules: ADAS,
        createdAt: 5,
        updatedAt: 5,
      });
      expect(await segments.find("ws_one", segment.id)).toEqual(segment);
      expect(await segments.find("ws_two", segment.id)).toBeNull();
      const changed = await segments.change(
        "ws_one",
        segment.id,
        [],
        (current) => accept({ ...current, rules: NOBODY }),
        9,
      );
      expect(changed).toEqual(accept({ ...segment, rules: NOBODY, updatedAt: 9 }));
      const same = await segments.change("ws_one", segment.id, null, (current) => accept(current), 10);
      expect(same).toEqual(changed);
      const refused = refuse("NOT_FOUND", "no");
      expect(await segments.change("ws_one", segment.id, [], () => refused, 11)).toEqual(refused);
      expect(await segments.change("ws_two", segment.id, [], () => refused, 11)).toBeNull();
    });

    test("what rules name is looked up: what is missing, what uses what, and their names", async () => {
      const first = await added(ADAS);
      const named = [
        to("list", "list_1"),
        to("segment", first.id),
        to("campaign", "cmp_gone"),
        to("list", "\0"),
      ];
      expect(await segments.missing("ws_one", named)).toEqual(named.slice(2));
      expect(await segments.missing("ws_two", named)).toEqual(named);
      expect(Object.fromEntries(await segments.names("ws_one", named))).toEqual({
        list_1: "News",
        [first.id]: first.name,
      });
      const second = await added(inSegment(first.id), [to("segment", first.id)]);
      await segments.change(
        "ws_one",
        first.id,
        [to("segment", second.id)],
        (current, { missing, uses }) => {
          expect(missing).toEqual([]);
          expect(uses.get(second.id)).toEqual([first.id]);
          return accept(current);
        },
        9,
      );
    });

    test("a segment in use stays; its users are named, the oldest first", async () => {
      const used = await added(ADAS);
      const users = [];
      for (let n = 0; n < 2; n++) users.push(await added(inSegment(used.id), [to("segment", used.id)]));
      const shown = users.map(({ id, name }) => ({ kind: "segment" as const, id, name }));
      expect(await segments.users("ws_one", used.id)).toEqual(shown);
      expect(await segments.users("ws_two", used.id)).toBeNull();
      expect(await segments.delete("ws_one", used.id)).toEqual(shown[0]!);
      for (const { id } of users) expect(await segments.delete("ws_one", id)).toBe("deleted");
      expect(await segments.delete("ws_one", used.id)).toBe("deleted");
      expect(await segments.delete("ws_one", used.id)).toBeNull();
    });

    test("two that would ask for each other: one of them sees the other, and may refuse", async () => {
      const [left, right] = [await added(NOBODY), await added(NOBODY)];
      const pointAt = (id: string, other: string) =>
        segments.change(
          "ws_one",
          id,
          [to("segment", other)],
          (current, { uses }) =>
            uses.get(other)?.includes(id) === true
              ? refuse("NOT_FOUND", "a circle")
              : accept({ ...current, rules: inSegment(other) }),
          9,
        );
      const answers = await Promise.all([pointAt(left.id, right.id), pointAt(right.id, left.id)]);
      expect(answers.filter((answer) => answer?.ok === true)).toHaveLength(1);
    });

    test("a limit holds for those who are made at the same time", async () => {
      const before = (await segments.page("ws_one", { limit: 1, before: null })).total;
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          segments.insert(
            "ws_one",
            { id: `seg_many_${n}`, name: "many", rules: NOBODY, createdAt: 5 },
            [],
            (found) => (found.segments < before + 4 ? accept(null) : refuse("NOT_FOUND", "too many")),
          ),
        ),
      );
      expect(answers.filter(({ ok }) => ok)).toHaveLength(4);
      const page = await segments.page("ws_one", { limit: 3, before: null });
      expect(page.total).toBe(before + 4);
      const next = await segments.page("ws_one", { limit: 1, before: page.nextPosition });
      expect(page.items).toHaveLength(3);
      expect(page.items.map(({ id }) => id)).not.toContain(next.items[0]!.id);
    });

    test("members are counted, shown newest first, and walked", async () => {
      expect(await members.count("ws_one", ADAS, 9)).toEqual({ total: 4, subscribed: 2 });
      expect(await members.count("ws_one", NOBODY, 9)).toEqual({ total: 0, subscribed: 0 });
      const preview = await members.preview("ws_one", EVERYBODY, 9, 2);
      expect({ ...preview, sample: preview.sample.map(({ id }) => id) }).toEqual({
        total: 11,
        subscribed: 6,
        sample: ["con_10", "con_9"],
      });
      expect(await members.preview("ws_one", NOBODY, 9, 2)).toEqual({ total: 0, subscribed: 0, sample: [] });
      const asked = { rules: EVERYBODY, now: 9, filter: { ...NO_FILTER, q: "BOB" } };
      const ids: string[] = [];
      for (let before: number | null = null, more = true; more;) {
        const page = await members.page("ws_one", asked, { limit: 3, before });
        expect(page.total).toBe(7);
        ids.push(...page.items.map(({ id }) => id));
        ({ nextPosition: before } = page);
        more = before !== null;
      }
      const bobs = ["con_10", "con_8", "con_7", "con_5", "con_4", "con_2", "con_1"];
      expect(ids).toEqual(bobs);
      const walked = await Array.fromAsync(members.walk("ws_one", asked));
      expect(walked.flat().map(({ id }) => id)).toEqual(bobs);
      const filter = { status: "BOUNCED" as const, tag: null, q: "\0" };
      expect((await members.page("ws_one", { ...asked, filter }, { limit: 3, before: null })).total).toBe(0);
    });

    test("a segment that several conditions ask for; one that is gone has nobody", async () => {
      const adas = await added(ADAS);
      const both = { any: [{ not: inSegment(adas.id) }, { all: [inSegment(adas.id), EVERYBODY] }] };
      expect((await members.count("ws_one", both as JsonValue, 9)).total).toBe(11);
      expect((await members.count("ws_one", { not: inSegment("seg_gone") }, 9)).total).toBe(11);
    });

    test("however many steps the paths of properties have, the rules are answered", async () => {
      // A number that is no place in a list stands alone: the path is walked step by step.
      const property = ["01", ...Array.from({ length: 498 }, () => "a")].join(".");
      const where = ["x", "y", "z"].map((value) => ({ property, op: "equals", value }));
      const asked = (n: number) => ({ field: "event", op: "atLeast", value: 1, name: `e${n}`, where });
      const rules = { any: Array.from({ length: 45 }, (_, n) => asked(n)) };
      expect(await members.count("ws_one", rules, 9)).toEqual({ total: 0, subscribed: 0 });
    });

    test("rules that are too much for one statement are refused where they are saved and asked, in words", async () => {
      const large = (n: number): JsonValue => ({
        all: Array.from({ length: 50 }, (_, condition) => ({
          field: "event",
          op: "atLeast",
          value: 1,
          name: "e",
          where: Array.from({ length: 20 }, (__, place) => {
            const property = `p${n}_${condition}_${place}`;
            return { property, op: "equals", value: property };
          }),
        })),
      });
      const named = [];
      for (let n = 0; n < 34; n++) named.push((await added(large(n))).id);
      const rules = { all: named.map(inSegment) };
      const answers = [
        await insert(
          rules,
          named.map((id) => to("segment", id)),
        ).catch((error: unknown) => error),
        await members.count("ws_one", rules, 9).catch((error: unknown) => error),
        await opened.stores.audiences
          .leftOut(
            "ws_one",
            { listId: null, segmentId: named[0]!, excludeListIds: [], excludeSegmentIds: named.slice(1) },
            { reason: "EXCLUDED", page: { limit: 1, before: null } },
            9,
          )
          .catch((error: unknown) => error),
      ];
      // SQLite answers condition by condition.
      if (engine.name === "SQLite") expect(answers).toMatchObject([{ ok: true }, { total: 0 }, { total: 0 }]);
      else
        for (const answer of answers)
          expect(answer).toMatchObject({
            code: "VALIDATION_ERROR",
            message: expect.stringContaining("Take out conditions"),
          });
      await opened.run("DELETE FROM segment_uses");
      await opened.run("DELETE FROM segments WHERE length(rules) > 1000");
    });

    test("many questions at the same time are all answered, each workspace by its own", async () => {
      const counts = await Promise.all(
        Array.from({ length: 12 }, (_, n) => members.count(n % 2 === 0 ? "ws_one" : "ws_two", EVERYBODY, 9)),
      );
      expect(counts.map(({ total }) => total)).toEqual(counts.map((_, n) => (n % 2 === 0 ? 11 : 1)));
    });
  });
}
