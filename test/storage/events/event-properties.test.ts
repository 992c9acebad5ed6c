import { afterAll, beforeAll, expect, test } from "bun:test";
import { eventIndex } from "#storage/sqlite/events/event-index.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";

/** Conditions on the properties of events are answered from the index by name, which has the short ones. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const LEAST_JSON = JSON.stringify({ plan: "pro", note: "" }).length;
/** Properties with so many bytes of JSON. */
const PROPERTIES = { short: 40, "as long as fits": 256, long: 257, "very long": 5_000 };

const record = (email: string, bytes: number) =>
  api.call("POST", "/events", {
    name: "bought",
    email,
    properties: { plan: "pro", note: "x".repeat(bytes - LEAST_JSON) },
  });

const found = async (plan: string): Promise<number> => {
  const where = [{ property: "plan", op: "equals", value: plan }];
  const rules = { field: "event", op: "atLeast", name: "bought", value: 1, where };
  const { data } = (await api.call("POST", "/segments/preview", { rules })).body as {
    data: { total: number };
  };
  return data.total;
};

test("whatever their length, events are found by their properties before and after they are indexed", async () => {
  const { database } = api.services;
  for (const [who, bytes] of Object.entries(PROPERTIES))
    expect((await record(`${who.replaceAll(" ", "-")}@example.com`, bytes)).status).toBe(201);
  expect([await found("pro"), await found("free")]).toEqual([4, 0]);
  await eventIndex(database).catchUp();
  expect([await found("pro"), await found("free")]).toEqual([4, 0]);
});

test("of short ones only the index is read, of long ones the event", async () => {
  const { sqlite } = api.services.database;
  sqlite.run(`UPDATE events SET properties = '{"plan":"free"}'`);
  expect([await found("pro"), await found("free")]).toEqual([2, 2]);
});
