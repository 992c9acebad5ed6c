import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { NO_OPTIONS } from "#imports/import-options.ts";
import { NO_COUNTS, type Import } from "#imports/import.ts";
import { WITHIN_A_SERVER } from "#imports/batches.ts";
import type { CsvRow } from "#imports/csv/csv-rows.ts";
import { runImport, type RunEnd } from "#imports/import-run.ts";
import { accept, refuse } from "#core/errors/errors.ts";
import { systemClock } from "#core/time/clock.ts";
import { planImport } from "#imports/import-plan.ts";
import type { ImportBatch, ImportJob, ImportPerson, ImportRules } from "#imports/store.ts";
import { newList } from "../../../support/people/lists.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";

const JOB: ImportJob = {
  options: { ...NO_OPTIONS, listIds: ["list_1"], existing: "keep" },
  format: { encoding: "utf-8", delimiter: ";" },
  header: ["E-Mail", 'Na"me'],
  headerLines: 2,
  lines: 4,
};

const key = (n: number) =>
  ({
    id: `key_${n}`,
    name: "k",
    prefix: "p",
    scope: "full",
    hash: Buffer.from(`h${n}`),
    createdAt: 1,
  }) as const;

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`imports on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let imports: OpenedEngine["stores"]["imports"];
    let made = 0;
    const insert = async (workspaceId: string): Promise<Import> => {
      const id = `imp_${++made}`;
      const one: Import = {
        ...NO_COUNTS,
        id,
        fileName: `${id}.csv`,
        state: "RUNNING",
        createdAt: made,
        finishedAt: null,
        error: null,
        linesDone: JOB.headerLines,
        lines: 4,
        format: JOB.format,
      };
      await imports.insert(workspaceId, one, JOB);
      return one;
    };

    beforeAll(async () => {
      opened = await engine.open();
      ({ imports } = opened.stores);
      for (const [n, id] of ["ws_one", "ws_two"].entries())
        await opened.stores.workspaces.create({ id, createdAt: 1 }, {}, key(n));
    });
    afterAll(() => opened.close());

    test("of each workspace the oldest that is RUNNING is the next, with how its file is read", async () => {
      const [first, second] = [await insert("ws_one"), await insert("ws_one")];
      const other = await insert("ws_two");
      expect([await imports.find("ws_one", first.id), await imports.find("ws_two", first.id)]).toEqual([
        first,
        null,
      ]);
      const running = (id: string, workspaceId: string) => ({ id, workspaceId, linesDone: 2, ...JOB });
      const next = async () => (await imports.running()).toSorted((a, b) => a.id.localeCompare(b.id));
      expect(await next()).toEqual([running(first.id, "ws_one"), running(other.id, "ws_two")]);
      expect(await imports.runningIds()).toEqual(new Set([first.id, second.id, other.id]));

      const failed = { state: "FAILED", error: "It is no table.", at: 9 } as const;
      expect(await imports.end("ws_two", first.id, failed)).toBe(false);
      const cancelled = { state: "CANCELLED", error: null, at: 10 } as const;
      const ends = await Promise.all([
        imports.end("ws_one", first.id, failed),
        imports.end("ws_one", first.id, cancelled),
      ]);
      expect(ends.filter(Boolean).length).toBe(1);
      expect((await imports.find("ws_one", first.id))!.finishedAt).not.toBeNull();
      expect(await next()).toEqual([running(second.id, "ws_one"), running(other.id, "ws_two")]);
      expect(await imports.end("ws_one", second.id, failed)).toBe(true);
      const ended = { ...second, state: "FAILED", error: "It is no table.", finishedAt: 9 } as const;
      expect(await imports.find("ws_one", second.id)).toEqual(ended);
      const page = await imports.page("ws_one", { limit: 1, before: null });
      expect([page.total, page.items]).toEqual([2, [ended]]);
      const rest = await imports.page("ws_one", { limit: 1, before: page.nextPosition });
      expect([rest.items.map(({ id }) => id), rest.nextPosition]).toEqual([[first.id], null]);
    });

    test("what was said about its rows comes by line, in pages", async () => {
      const { id } = await insert("ws_two");
      for (const line of [3, 7, 8])
        await opened.run(
          `INSERT INTO import_messages (import, line, message) SELECT seq, ${line}, 'no address' FROM imports WHERE id = '${id}'`,
        );
      const first = await imports.messages("ws_two", id, { limit: 2, before: null });
      const rest = await imports.messages("ws_two", id, { limit: 2, before: first!.nextPosition });
      const lines = [...first!.items, ...rest!.items];
      expect([first!.total, rest!.nextPosition]).toEqual([3, null]);
      expect(lines).toEqual([3, 7, 8].map((line) => ({ line, message: "no address" })));
      expect(await imports.messages("ws_one", id, { limit: 2, before: null })).toBeNull();
    });

    const person = (email: string, line: number): ImportPerson => ({
      email,
      fresh: { id: `con_${email}`, createdAt: 5 },
      setsAttributes: false,
      row: {
        email,
        firstName: "A",
        lastName: undefined,
        tags: undefined,
        status: "SUBSCRIBED",
        consent: undefined,
        attributes: undefined,
        suppress: null,
        consentAt: null,
        consentIp: null,
        warning: null,
      },
      line,
    });
    const batchOf = (people: readonly ImportPerson[], more: Partial<ImportBatch> = {}): ImportBatch => {
      const nothing = { unread: 0, messages: [], listIds: [], linesDone: null, isLast: false, at: 5 };
      return { people, ...nothing, ...more };
    };
    const rules: ImportRules = {
      decide: ({ row }, found) =>
        row.email.startsWith("no") ? refuse("VALIDATION_ERROR", "no") : planImport(found, row, NO_OPTIONS, 5),
      settle: (_, { created }) => ({ outcome: created ? "created" : "updated", joins: true, message: null }),
    };

    test("rows are kept with how far the import is, on its lists, and what was refused is said", async () => {
      await opened.stores.lists.insert("ws_one", newList("list_1", { name: "One" }));
      const { id } = await insert("ws_one");
      const people = ["a@example.com", "no@example.com", "b@example.com", "a@example.com"].map((email, n) =>
        person(email, n + 3),
      );
      const more = { unread: 2, messages: [{ line: 1, message: "odd\0" }], linesDone: 9 };
      const batch = batchOf(people, { ...more, listIds: ["list_1", "list_gone"] });
      const counts = { rows: 6, created: 2, updated: 1, skipped: 0, failed: 3 };
      expect(await imports.keep("ws_one", id, batch, rules)).toMatchObject({ counts });
      expect(await imports.find("ws_one", id)).toMatchObject({ ...counts, state: "RUNNING" });
      const [running] = (await imports.running()).filter((one) => one.id === id);
      expect(running).toMatchObject({ linesDone: 9 });
      const said = await imports.messages("ws_one", id, { limit: 9, before: null });
      expect(said!.items.map(({ line }) => line)).toEqual([1, 4]);
      const filter = { status: null, tag: null, q: null };
      const list = await opened.stores.lists.contacts("ws_one", "list_1", filter, { limit: 9, before: null });
      expect(list!.items.map(({ email }) => email)).toEqual(["b@example.com", "a@example.com"]);

      const last = batchOf([person("c@example.com", 10)], { isLast: true, at: 8 });
      expect(await imports.keep("ws_one", id, last, rules)).toMatchObject({ counts: { created: 1 } });
      expect(await imports.find("ws_one", id)).toMatchObject({ state: "DONE", finishedAt: 8, rows: 7 });
      expect(await imports.keep("ws_one", id, batch, rules)).toBeNull();
      expect(await imports.keep("ws_one", null, last, rules)).toMatchObject({ counts: { updated: 1 } });
    });

    test("an import that goes on after each batch keeps a row that failed behind a thousand warnings", async () => {
      const { id } = await insert("ws_two");
      const LAST = 1_300;
      async function* rowsBehind(done: number): AsyncGenerator<CsvRow> {
        for (let line = done + 1; line <= LAST; line++)
          yield { line, endLine: line, cells: [line === LAST ? "no address" : `w${line}@example.com`] };
      }
      const parse = ([email = ""]: readonly string[]) =>
        email === "no address"
          ? refuse("VALIDATION_ERROR", email)
          : accept({ ...person(email, 0).row, warning: "odd" });
      const run = { workspaceId: "ws_two", id, options: NO_OPTIONS, pace: WITHIN_A_SERVER, parse };
      const newId = (prefix: string): string => `${prefix}_${++made}`;
      let [turns, end]: [number, RunEnd] = [0, "stopped"];
      for (; end === "stopped"; turns++) {
        const done = (await imports.find("ws_two", id))!.linesDone;
        end = await runImport(
          { imports, clock: systemClock, newId },
          { ...run, rows: rowsBehind(done), onKept: () => undefined, isStopped: () => true },
        );
      }
      expect([end, turns > 3]).toEqual(["done", true]);
      const messages = (await imports.messages("ws_two", id, { limit: 2_000, before: null }))!.items;
      expect(messages.length).toBe(501);
      expect(messages.at(-1)).toEqual({ line: LAST, message: "no address" });
    });

    test("imports of the same people at the same time make each of them once", async () => {
      const people = Array.from({ length: 40 }, (_, n) => person(`many${n}@example.com`, n + 2));
      const all = [people, people.toReversed(), people, people.toReversed()];
      const kept = await Promise.all(
        all.map(async (some) => {
          const { id } = await insert("ws_two");
          return await imports.keep("ws_two", id, batchOf(some), rules);
        }),
      );
      expect(kept.reduce((sum, one) => sum + one!.counts.created, 0)).toBe(40);
      expect(kept.reduce((sum, one) => sum + one!.counts.updated, 0)).toBe(120);
    });
  });
}
