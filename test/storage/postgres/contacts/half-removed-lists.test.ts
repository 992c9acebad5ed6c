/** Lists whose removal was cut off: they are hidden, and what is left of them is removed later. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { openPostgres, type PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { removeHiddenLists, removeList } from "#storage/postgres/lists/list-removal.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { lacksPostgres, migratedDatabase, type TestDatabase } from "../../../support/storage/postgres.ts";

describe.skipIf(await lacksPostgres())("what is left of lists", () => {
  let made: TestDatabase;
  let database: PostgresDatabase;
  const run = (statement: string) => database.write((tx) => tx.run(statement));
  const lists = async () =>
    (await database.read(({ rows }) => rows<{ id: string }>("SELECT id FROM lists ORDER BY seq"))).map(
      ({ id }) => id,
    );
  const leave = (hidden: string, id: string) =>
    run(
      `INSERT INTO lists (id, workspace, name, search, created_at) VALUES (${hidden} || '${id}', 1, 'L', 'l', 1)`,
    );
  const HIDDEN = "'removed:' || gen_random_uuid() || ':'";

  beforeAll(async () => {
    made = await migratedDatabase();
    database = await openPostgres(made.url, { clock: systemClock, random: seededRandom(1) });
    await run("INSERT INTO workspaces (id, created_at) VALUES ('ws_one', 1)");
  });
  afterAll(async () => {
    await database.close();
    await made.drop();
  });

  test("is removed also behind one whose removal fails, which is told", async () => {
    for (const id of ["list_kept", "list_a", "list_b"]) await leave(HIDDEN, id);
    await run("CREATE TABLE keeping (list int8 REFERENCES lists)");
    await run("INSERT INTO keeping SELECT min(seq) FROM lists");
    const failed = await removeHiddenLists(database, () => false).catch((error: unknown) => error);
    expect(String(failed)).toContain("keeping");
    expect(await lists()).toEqual([expect.stringContaining("list_kept")]);
    await run("DROP TABLE keeping");
    await removeHiddenLists(database, () => false);
    expect(await lists()).toEqual([]);
  });

  test.each([
    ["now", HIDDEN],
    ["at first, without a random part", "'removed:'"],
  ])("is not there for whoever names it, where it was hidden as is done %s", async (_, hidden) => {
    await leave(hidden, "list_own");
    const [hiddenId] = await lists();
    const beside = hiddenId!.replace("removed:", "");
    for (const id of ["list_own", "own", beside, `x${beside}`, `removed:x${beside}`])
      expect(await removeList(database, 1, id)).toBe(false);
    expect(await lists()).toEqual([hiddenId!]);
    await removeHiddenLists(database, () => false);
    expect(await lists()).toEqual([]);
  });
});
