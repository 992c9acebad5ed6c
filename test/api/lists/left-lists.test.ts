/** docs/decisions.md "Lists": who left a list comes back by their own choice or by name, never with many others. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "#core/time/time.ts";
import { imported } from "../../support/people/imports.ts";
import { writeTo } from "../../support/server/services.ts";
import { startPreferences, type PreferencesApi, type Reader } from "../../support/people/preferences.ts";

let api: PreferencesApi;
let news: string;
beforeAll(async () => {
  api = await startPreferences();
  ({ news } = api.lists);
});
afterAll(() => api.stop());

/** Somebody who was on News, and left it on the preferences page. */
async function whoLeft(): Promise<Reader> {
  const reader = await api.newReader([news]);
  await api.choose(reader, { shown: news });
  expect(await isOn(reader)).toBe(false);
  return reader;
}

const isOn = async (reader: Reader): Promise<boolean> => (await api.standing(reader)).on.includes("news");
const bulk = ({ address }: Reader) =>
  api.call("POST", "/contacts/bulk", { contacts: [{ email: address, firstName: "Ada" }], listId: news });
const act = (body: object) =>
  api.call("POST", "/contacts/actions", { action: "addToList", listId: news, ...body });
const named = ({ address }: Reader) => ({ field: "email", op: "equals", value: address });

describe("who left a list on the preferences page", () => {
  test("is not put back by an import, which writes the rest of the row", async () => {
    const reader = await whoLeft();
    const file = `email,status,firstName\n${reader.address},SUBSCRIBED,Ada\n`;
    expect(await imported(api, file, { listIds: [news] })).toMatchObject({ updated: 1, failed: 0 });
    expect(await api.standing(reader)).toMatchObject({ name: "Ada", status: "SUBSCRIBED", on: [] });
  });

  test("is not put back by a bulk call, which writes the rest of the entry", async () => {
    const reader = await whoLeft();
    expect((await bulk(reader)).body.data).toMatchObject({ updated: 1, failed: 0 });
    expect(await api.standing(reader)).toMatchObject({ name: "Ada", on: [] });
  });

  test("is refused where rules choose them, and told", async () => {
    const reader = await whoLeft();
    const { data } = (await act({ rules: named(reader) })).body;
    const message = "They left this list by themselves. Add them by `contactIds` if they asked for it.";
    expect(data).toMatchObject({ changed: 0, unchanged: 0, refused: 1 });
    expect(data.problems).toEqual([{ id: reader.contactId, email: reader.address, message }]);
    expect(await isOn(reader)).toBe(false);
  });

  test.each<[string, (reader: Reader) => Promise<unknown>]>([
    ["by the page", (reader) => api.choose(reader, { shown: news, lists: news })],
    [
      "by a form",
      async ({ address }) => {
        const { data } = (await api.call("POST", "/forms", { name: "News", listId: news })).body;
        const body = JSON.stringify({ email: address });
        const headers = { "content-type": "application/json" };
        await api.visit(`/api/forms/${data.id}/submit`, { method: "POST", headers, body });
      },
    ],
    [
      "where the list is given them",
      ({ contactId }) => api.call("POST", `/lists/${news}/contacts`, { contactId }),
    ],
    ["where they are chosen", ({ contactId }) => act({ contactIds: [contactId] })],
  ])("comes back %s, and is put back with others if the sender takes them off", async (_, comeBack) => {
    const reader = await whoLeft();
    await comeBack(reader);
    expect(await isOn(reader)).toBe(true);
    await api.call("DELETE", `/lists/${news}/contacts/${reader.contactId}`);
    expect(await isOn(reader)).toBe(false);
    await bulk(reader);
    expect(await isOn(reader)).toBe(true);
  });

  const mine = "contact = (SELECT seq FROM contacts WHERE id = ?)";
  test.each<[string, (reader: Reader) => Promise<void>]>([
    [
      "joined while the clock was ahead",
      ({ contactId }) =>
        writeTo(api, `UPDATE list_members SET added_at = added_at + ${DAY_MS} WHERE ${mine}`, contactId),
    ],
    [
      "was once taken off while the clock was ahead",
      async ({ contactId }) => {
        await api.call("DELETE", `/lists/${news}/contacts/${contactId}`);
        await writeTo(
          api,
          `UPDATE list_departures SET left_at = left_at + ${DAY_MS} WHERE ${mine}`,
          contactId,
        );
        await api.call("POST", `/lists/${news}/contacts`, { contactId });
      },
    ],
    [
      "was once put on and taken off while the clock was ahead",
      async ({ contactId }) => {
        await api.call("DELETE", `/lists/${news}/contacts/${contactId}`);
        await writeTo(
          api,
          `UPDATE list_departures SET joined_at = joined_at + ${DAY_MS}, left_at = left_at + ${DAY_MS} WHERE ${mine}`,
          contactId,
        );
        await api.call("POST", `/lists/${news}/contacts`, { contactId });
      },
    ],
  ])("is not put back either who %s", async (_, before) => {
    const reader = await api.newReader([news]);
    await before(reader);
    await api.choose(reader, { shown: news });
    await bulk(reader);
    expect(await isOn(reader)).toBe(false);
  });

  test("is not put back either once they were deleted and made again", async () => {
    const reader = await whoLeft();
    await api.call("DELETE", `/contacts/${reader.contactId}`);
    const made = (await bulk(reader)).body.data.results[0];
    expect(made).toMatchObject({ outcome: "CREATED" });
    const again = { ...reader, contactId: made.id };
    expect(await isOn(again)).toBe(false);
    expect((await act({ rules: named(reader) })).body.data).toMatchObject({ changed: 0, refused: 1 });
    await act({ contactIds: [made.id] });
    expect(await isOn(again)).toBe(true);
  });

  test("says nothing about who has their old address, while they have another one", async () => {
    const reader = await whoLeft();
    await api.call("PATCH", `/contacts/${reader.contactId}`, { email: `moved-${reader.address}` });
    const { id: contactId } = (await bulk(reader)).body.data.results[0];
    expect(await isOn({ ...reader, contactId })).toBe(true);
    expect(await isOn(reader)).toBe(false);
  });

  test("joins other lists with others", async () => {
    const reader = await whoLeft();
    const listId = api.lists.offers;
    await api.call("POST", "/contacts/bulk", { contacts: [{ email: reader.address }], listId });
    expect((await api.standing(reader)).on).toEqual(["offers"]);
  });
});
