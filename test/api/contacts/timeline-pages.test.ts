import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listOf, person } from "../../support/people/people.ts";
import { startReaders, type ReadersApi } from "../../support/people/readers.ts";
import { rowsFrom, writeTo } from "../../support/server/services.ts";

let api: ReadersApi;
beforeAll(async () => {
  api = await startReaders();
});
afterAll(() => api.stop());

const pageOf = async (id: string, query = "", key?: string) =>
  (await api.call("GET", `/contacts/${id}/timeline${query}`, undefined, key)).body;
const story = async (id: string): Promise<any[]> => (await pageOf(id, "?limit=100")).data;

/** Every page from the newest on. */
async function walk(
  id: string,
  limit: number,
  between = async (): Promise<unknown> => undefined,
): Promise<any[]> {
  const found: any[] = [];
  for (let after = ""; ;) {
    const { data, pagination } = await pageOf(id, `?limit=${limit}${after && `&after=${after}`}`);
    found.push(...data);
    expect(pagination.hasMore).toBe(pagination.nextCursor !== null);
    if (pagination.nextCursor === null) return found;
    after = pagination.nextCursor;
    await between();
  }
}

describe("its pages", () => {
  /** Somebody with moments of every source that needs no mail, many of them at one instant. */
  async function eventful(email: string): Promise<string> {
    const { id } = await person(api, email, { consent: "explicit" });
    for (let i = 0; i < 3; i++) {
      const list = await listOf(api, `List ${i}`, [id]);
      if (i > 0) await api.call("DELETE", `/lists/${list}/contacts/${id}`);
    }
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        api.call("POST", "/events", { contactId: id, name: `event ${i}` }),
      ),
    );
    await api.call("PATCH", `/contacts/${id}`, { consent: "declined" });
    await api.call("PATCH", `/contacts/${id}`, { consent: "declined" });
    return id;
  }

  test.each([1, 2, 3, 7, 100])("put together show everything once, in order, %d at a time", async (limit) => {
    const id = await eventful(`pages-${limit}@example.com`);
    const whole = await story(id);
    const { total } = (await pageOf(id)).pagination;
    expect([whole.length, total]).toEqual([22, 22]);
    const walked = await walk(id, limit);
    expect(walked).toEqual(whole);
    expect(new Set(walked.map((moment) => moment.id)).size).toBe(22);
  });

  test("of equal instants too", async () => {
    const id = await eventful("equal@example.com");
    const [{ seq }] = rowsFrom(api, "SELECT seq FROM contacts WHERE id = ?", id);
    await writeTo(api, "UPDATE events SET created_at = 5000 WHERE contact = ?", seq);
    await writeTo(api, "UPDATE consent_log SET at = 5000 WHERE contact_id = ?", id);
    await writeTo(api, "UPDATE list_departures SET joined_at = 5000, left_at = 5000 WHERE contact = ?", seq);
    const whole = await story(id);
    expect(await walk(id, 1)).toEqual(whole);
    expect(await walk(id, 5)).toEqual(whole);
    expect(whole.length).toBe(22);
  });

  test("neither repeat nor lose anything while more happens and the clock is set back", async () => {
    const id = await eventful("busy@example.com");
    // Of two events the later one has the earlier time: a clock was set back between them.
    const rows = rowsFrom<{ seq: number }>(
      api,
      "SELECT e.seq FROM events e JOIN contacts c ON c.seq = e.contact WHERE c.id = ? ORDER BY e.seq",
      id,
    );
    for (const [i, { seq }] of rows.entries())
      await writeTo(
        api,
        `UPDATE events SET created_at = created_at - ${(i % 3) * 3_600_000} WHERE seq = ?`,
        seq,
      );
    const before = (await story(id)).map((moment) => moment.id);
    let n = 0;
    const walked = await walk(id, 2, () =>
      api.call("POST", "/events", { contactId: id, name: `meanwhile ${n++}` }),
    );
    const ids = walked.map((moment) => moment.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(before.filter((moment) => !ids.includes(moment))).toEqual([]);
  });

  test("take only their own cursor", async () => {
    const id = await eventful("cursor@example.com");
    const other = await eventful("cursor-2@example.com");
    const { nextCursor } = (await pageOf(id, "?limit=2")).pagination;
    for (const path of [
      `/contacts/${other}/timeline?after=${nextCursor}`,
      `/contacts?after=${nextCursor}`,
      `/contacts/${id}/timeline?after=${nextCursor}A`,
      `/contacts/${id}/timeline?after=${(await api.call("GET", "/contacts?limit=1")).body.pagination.nextCursor}`,
    ])
      expect([path, (await api.call("GET", path)).status]).toEqual([path, 422]);
    expect((await api.call("GET", `/contacts/${id}/timeline?after=`)).status).toBe(200);
  });
});
