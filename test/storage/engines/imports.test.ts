import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { NO_OPTIONS } from "#imports/import-options.ts";
import { NO_COUNTS, type Import } from "#imports/import.ts";
import type { ImportJob } from "#imports/store.ts";
import { ENGINES, type OpenedEngine } from "../../support/engines.ts";

const JOB: ImportJob = {
  options: { ...NO_OPTIONS, listIds: ["list_1"], existing: "keep" },
  format: { encoding: "utf-8", delimiter: ";" },
  header: ["E-Mail", 'Na"me'],
  headerLines: 2,
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
  });
}
