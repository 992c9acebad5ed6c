/** What takes a thing off very many people, while others change those people. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { attributeStore } from "#storage/postgres/attributes/attribute-store.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { systemClock } from "#core/time/clock.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { startApi, type TestApi } from "../../../support/server/api.ts";
import { postgresPlace, rowsFrom } from "../../../support/server/services.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";

const WAITING =
  "SELECT count(*)::int4 AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
/** More than one transaction takes. */
const PEOPLE = 4_500;
const FIRST = "(SELECT min(seq) FROM contacts)";
const LAST = "(SELECT max(seq) FROM contacts WHERE email LIKE 'n%')";

describe.skipIf(await lacksPostgres())("what is taken off very many people goes in stretches:", () => {
  let place: Awaited<ReturnType<typeof postgresPlace>>;
  let api: TestApi;
  let beside: SQL;
  let listId = "";
  beforeAll(async () => {
    place = await postgresPlace("long removals");
    api = await startApi({ place });
    beside = new SQL({ url: place.url!, max: 1 });
    listId = (await api.call("POST", "/lists", { name: "All" })).body.data.id;
    const one = (await api.call("POST", "/contacts", { email: "n0@example.com" })).body.data;
    await beside.unsafe(
      `INSERT INTO contacts SELECT (jsonb_populate_record(c, jsonb_build_object(
          'seq', c.seq + n, 'id', c.id || n, 'email', 'n' || n || '@example.com'))).*
       FROM contacts AS c, generate_series(1, ${PEOPLE} - 1) AS n WHERE c.id = '${one.id}'`,
    );
    await beside.unsafe(
      "SELECT setval(pg_get_serial_sequence('contacts', 'seq'), (SELECT max(seq) FROM contacts))",
    );
    await beside.unsafe(
      `INSERT INTO list_members SELECT l.seq, c.seq, c.status, 1 FROM contacts AS c, lists AS l ORDER BY c.seq`,
    );
    await beside.unsafe(
      `INSERT INTO contact_attributes SELECT seq, workspace, '{"plan": "free", "old": 1}' FROM contacts ORDER BY seq`,
    );
  });
  afterAll(async () => {
    await beside.close();
    await api.stop();
  });

  /** Whether nobody waits at the first of them while a removal stands at the last, which somebody else holds. */
  const standingAtTheLast = async (held: string, first: string, removal: string): Promise<number> => {
    let removing: Promise<{ status: number }> | undefined;
    await beside.begin(async (tx) => {
      await tx.unsafe(held);
      removing = api.call("DELETE", removal);
      await eventually(async () => (await tx.unsafe(WAITING))[0].n >= 1);
      await tx.unsafe(`${first} FOR UPDATE NOWAIT`);
    });
    return (await removing!).status;
  };
  const left = (table: string): number => rowsFrom(api, `SELECT count(*) AS n FROM ${table}`)[0].n;

  test("an attribute", async () => {
    const held = `SELECT FROM contacts WHERE seq = ${LAST} FOR UPDATE`;
    const first = `SELECT FROM contacts WHERE seq = ${FIRST}`;
    expect(await standingAtTheLast(held, first, "/attributes/old")).toBe(204);
    expect(left(`contact_attributes WHERE attributes = '{"plan": "free"}'`)).toBe(PEOPLE);
    expect((await api.call("DELETE", "/attributes/plan")).status).toBe(204);
    expect(left("contact_attributes")).toBe(0);
    expect((await api.call("DELETE", "/attributes/plan")).status).toBe(404);
    expect((await api.call("GET", "/attributes")).body.data).toEqual([]);
  });

  test("an attribute locks nobody where nobody has it", async () => {
    const database = await openPostgres(place.url!, { clock: systemClock, random: seededRandom(1) });
    let [reads, writes] = [0, 0];
    const { remove } = attributeStore({
      ...database,
      read: (work) => (reads++, database.read(work)),
      write: (work) => (writes++, database.write(work)),
    });
    await beside.unsafe(
      `INSERT INTO contact_attributes SELECT seq, workspace, '{"plan": "free"}' FROM contacts ORDER BY seq`,
    );
    expect(await remove(api.workspaceId, "nope")).toBe(false);
    expect([reads, writes]).toEqual([1, 0]);
    await beside.unsafe(
      `UPDATE contact_attributes SET attributes = attributes || '{"rare": 1}' WHERE contact = ${LAST}`,
    );
    expect(await remove(api.workspaceId, "rare")).toBe(true);
    expect(writes).toBe(1);
    expect(left(`contact_attributes WHERE attributes = '{"plan": "free"}'`)).toBe(PEOPLE);

    // The contacts of other workspaces are not looked through.
    const { id, key } = await api.services.workspaces.create("Other");
    await api.call("POST", "/contacts", { email: "other@example.com", attributes: { rare: 1 } }, key);
    [reads, writes] = [0, 0];
    expect(await remove(id, "rare")).toBe(true);
    expect([reads, writes]).toEqual([3, 1]);
    await database.close();
  });

  test("a list", async () => {
    const held = `SELECT FROM list_members WHERE contact = ${LAST} FOR UPDATE`;
    const first = `SELECT FROM list_members WHERE contact = ${FIRST}`;
    expect(await standingAtTheLast(held, first, `/lists/${listId}`)).toBe(204);
    expect([left("lists"), left("list_members"), left("list_counts")]).toEqual([0, 0, 0]);
    expect((await api.call("DELETE", `/lists/${listId}`)).status).toBe(404);
  });
});
