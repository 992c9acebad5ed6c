/**
 * A rule that a store is given may be called again: another engine loads and decides anew where somebody else has
 * changed a row meanwhile. So a rule reads no clock and counts nothing, and neither does the store around it.
 */
import { expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { ended, upload } from "../../support/people/imports.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { everyRow, everyWriteTwice } from "../../support/storage/write-twice.ts";

const ATTRIBUTES = { city: "London", age: 36 };

/** What one caller does after the other; each answer that must have worked is looked at. */
async function walk(api: TestApi): Promise<unknown[]> {
  const answers: unknown[] = [];
  const done = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await api.call(method, path, body);
    answers.push([method, answer.status, answer.body]);
    expect([method, path, answer.status < 300, answer.body]).toEqual([method, path, true, answer.body]);
    return answer.body?.data;
  };
  const refused = async (method: string, path: string, body?: unknown): Promise<void> => {
    const answer = await api.call(method, path, body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    answers.push([method, answer.status, answer.body.error.code]);
  };

  const list = await done("POST", "/lists", { name: "Spring" });
  const ada = await done("POST", "/contacts", {
    email: "ada@example.com",
    status: "SUBSCRIBED",
    tags: ["vip"],
    attributes: ATTRIBUTES,
  });
  await done("POST", "/contacts", { email: "ada@example.com", attributes: { city: "Paris" } });
  await done("POST", "/contacts/bulk", {
    listId: list.id,
    contacts: [
      { email: "grace@example.com", status: "SUBSCRIBED", attributes: { age: 40 } },
      { email: "linus@example.com", tags: ["a", "b"] },
      { email: "grace@example.com", attributes: { city: "Rome" } },
    ],
  });
  await done("PATCH", `/contacts/${ada.id}`, { status: "UNSUBSCRIBED" });
  await refused("PATCH", `/contacts/${ada.id}`, { email: "grace@example.com" });
  await done("PATCH", `/contacts/${ada.id}`, { email: "ada@example.org", firstName: "Ada" });
  await done("POST", `/lists/${list.id}/contacts`, { contactIds: [ada.id] });
  await done("PATCH", `/lists/${list.id}`, { name: "Summer" });
  await done("POST", "/events", { name: "order_placed", email: "new@example.com", value: 12 });
  const segment = await done("POST", "/segments", {
    name: "Some",
    rules: { field: "list", op: "equals", value: list.id },
  });
  const campaign = await done("POST", "/campaigns", {
    name: "News",
    subject: "News",
    body: "<p>{{unsubscribe_url}}</p>",
    listId: list.id,
  });
  await done("PATCH", `/campaigns/${campaign.id}`, { subject: "More news", listId: list.id });
  await refused("PATCH", `/campaigns/${campaign.id}`, { listId: "lst_nobodys" });
  await done("PATCH", `/campaigns/${campaign.id}/options`, { excludeSegmentIds: [segment.id] });
  await refused("PATCH", `/campaigns/${campaign.id}/options`, { excludeListIds: ["lst_nobodys"] });
  await done("POST", `/campaigns/${campaign.id}/duplicate`);
  const form = await done("POST", "/forms", { name: "Join", listId: list.id });
  await done("PATCH", `/forms/${form.id}`, { successMessage: "Thanks", listId: list.id });
  const automation = await done("POST", "/automations", { name: "Welcome" });
  await done("PATCH", `/automations/${automation.id}`, { name: "Hello" });
  await done("POST", "/suppressions", { email: "dead@example.com", reason: "HARD_BOUNCE" });
  const template = await done("POST", "/templates", {
    name: "Plain",
    subject: "Hi",
    format: "html",
    body: "<p>Hi</p>",
  });
  await done("PATCH", `/templates/${template.id}`, { subject: "Hello" });
  const csv = "email,first name\nivan@example.com,Ivan\nada@example.org,Countess\nivan@example.com,Iwan\n";
  const { body } = await upload(api, "/imports", csv, { status: "PENDING" });
  answers.push(await ended(api, body.data.id));
  await done("DELETE", `/contacts/${ada.id}`);
  return answers;
}

/** Ids by their order, since an id that was drawn for nothing changes all that come later. */
function numbered(value: unknown): unknown {
  const ids = new Map<string, number>();
  const number = (id: string): string => {
    ids.set(id, ids.get(id) ?? ids.size);
    return `_${ids.get(id)}`;
  };
  return JSON.parse(JSON.stringify(value).replaceAll(/_[0-9a-z]{26}\b/g, number));
}

test("every write may be decided again: answers and rows are those of a write that was decided once", async () => {
  const [once, twice] = [await startApi({ clock: manualClock() }), await startApi({ clock: manualClock() })];
  const writesTwice = everyWriteTwice(twice.services.database);
  const [expected, answers] = [await walk(once), await walk(twice)];
  expect(writesTwice()).toBeGreaterThan(20);
  expect(numbered(answers)).toEqual(numbered(expected));
  const [rows, rowsTwice] = [everyRow(once.services.database), everyRow(twice.services.database)];
  expect(numbered(rowsTwice)).toEqual(numbered(rows));
  expect(rows["contacts"]?.length).toBeGreaterThan(3);
  await once.stop();
  await twice.stop();
});

test("the check can fail: what counts its own calls writes something else", async () => {
  const api = await startApi({ clock: manualClock() });
  const { database } = api.services;
  everyWriteTwice(database);
  let calls = 0;
  await database.writes.write(
    () => void database.sqlite.run("UPDATE workspaces SET created_at = ?", [++calls]),
  );
  expect(everyRow(database)["workspaces"]).toMatchObject([{ created_at: 2 }]);
  await api.stop();
});
