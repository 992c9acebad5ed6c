/** A contact who stands for many (a till, `anonymous@…`) has as many events and runs as all of them together. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chain } from "../../../support/automations/automations.ts";
import { runGround } from "../../../support/automations/engine-runs.ts";
import { NEW_SUBSCRIBER } from "../../../support/automations/flows.ts";
import { ENGINES, type OpenedEngine } from "../../../support/storage/engines.ts";
import { openWithWorkspaces } from "../../../support/storage/engine-world.ts";

const MANY = 9_000;
/** At most so many are counted in one turn. */
const PIECE = 2_000;
const FIRST = { limit: 2, before: null };
const NUMBERS = `WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ${MANY})`;

/** What `work` resolves with, and how many turns of the event loop others had meanwhile. */
async function inTurns<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const result = await work();
  isOver = true;
  return { result, turns };
}

for (const engine of ENGINES) {
  describe.skipIf(engine.isMissing)(`very much of one contact on ${engine.name}`, () => {
    let opened: OpenedEngine;
    let ground: ReturnType<typeof runGround>;
    let till: number;

    beforeAll(async () => {
      opened = await openWithWorkspaces(engine);
      ground = runGround(opened);
      [till] = (await ground.people("till", 2)) as [number, number];
    });
    afterAll(() => opened.close());

    test("their events are counted in pieces, also those of a name, and a name that they never had", async () => {
      await opened.run(
        `INSERT INTO events (id, workspace, name, contact, properties, created_at)
         ${NUMBERS} SELECT 'ev_' || n, 1, CASE WHEN n % 3 = 0 THEN 'paid' ELSE 'seen' END, ${till}, '{}', 1 FROM g`,
      );
      const page = (name: string | null, contactId = "till0") =>
        inTurns(() => opened.stores.events.page("ws_one", { name, contactId }, FIRST));
      const all = await page(null);
      expect(all.result).toMatchObject({
        total: MANY,
        items: [{ id: `ev_${MANY}` }, { id: `ev_${MANY - 1}` }],
      });
      expect(all.turns).toBeGreaterThanOrEqual(MANY / PIECE - 1);
      const paid = await page("paid");
      expect(paid.result).toMatchObject({
        total: MANY / 3,
        items: [{ id: `ev_${MANY}` }, { id: `ev_${MANY - 3}` }],
      });
      expect(paid.turns).toBeGreaterThanOrEqual(MANY / PIECE - 1);
      expect((await page("never")).result).toEqual({ items: [], total: 0, nextPosition: null });
      expect((await page(null, "till1")).result).toEqual({ items: [], total: 0, nextPosition: null });
    });

    test("their runs are counted in pieces, also those of a status", async () => {
      const { id, number } = await ground.live(chain(NEW_SUBSCRIBER));
      await opened.run(
        `INSERT INTO enrollments (id, automation, contact, depth, status, node, next_run_at, enrolled_at)
         ${NUMBERS} SELECT 'enr_' || n, ${number}, ${till}, 0, CASE WHEN n % 3 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, 'in', 1, 1 FROM g`,
      );
      const page = (status: "FAILED" | "ACTIVE" | null, email = "till0@example.com") =>
        inTurns(() => opened.stores.automations.enrollments("ws_one", id, { status, email }, FIRST));
      const all = await page(null);
      expect(all.result).toMatchObject({
        total: MANY,
        items: [{ id: `enr_${MANY}` }, { id: `enr_${MANY - 1}` }],
      });
      expect(all.turns).toBeGreaterThanOrEqual(MANY / PIECE - 1);
      expect((await page("FAILED")).result).toMatchObject({
        total: MANY / 3,
        items: [{ id: `enr_${MANY}` }, {}],
      });
      expect((await page("ACTIVE")).result).toMatchObject({ total: 0, items: [] });
      expect((await page(null, "till1@example.com")).result).toMatchObject({ total: 0, items: [] });
    });
  });
}
