import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { derivedTablesAgree, person } from "../../support/people/people.ts";

let api: FormsApi;
let form: any;
const FIELDS = ["firstName", "city", "constructor", "comments", "not a name"];

beforeAll(async () => {
  api = await startForms();
  form = await newForm(api, { fields: FIELDS });
});
afterAll(async () => {
  expect(derivedTablesAgree(api)).toBe(true);
  await api.stop();
});

const found = async (email: string): Promise<any> => {
  const { body } = await api.call("GET", `/contacts?include=attributes&q=${encodeURIComponent(email)}`);
  return body.data[0] ?? null;
};
const attributesOf = async (email: string): Promise<unknown> => (await found(email))?.attributes;
const submit = (fields: object, id = form.id) => api.submit(id, fields);

describe("a submission fills in the attributes that its form names", () => {
  test("as trimmed strings, and nothing else", async () => {
    const answer = await submit({
      email: "ada@example.com",
      firstName: "Ada",
      city: "  Zürich ",
      constructor: "Babbage",
      comments: "https://example.com",
      "not a name": "x",
      age: "36",
      lastName: "Lovelace",
    });
    expect(answer.status).toBe(200);
    expect(await found("ada@example.com")).toMatchObject({ firstName: "Ada", lastName: "Lovelace" });
    expect(await attributesOf("ada@example.com")).toEqual({
      city: "Zürich",
      constructor: "Babbage",
      comments: "https://example.com",
    });
  });

  test("in every encoding", async () => {
    const fields = { email: "encoded@example.com", city: "Bern" };
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    for (const body of [JSON.stringify(fields), new URLSearchParams(fields), data]) {
      expect((await api.submit(form.id, {}, { body })).status).toBe(200);
      expect(await attributesOf(fields.email)).toEqual({ city: "Bern" });
      await api.call("DELETE", `/contacts/${(await found(fields.email)).id}`);
    }
  });

  test("values that are no string are passed over, and none is ever cleared", async () => {
    const email = "known@example.com";
    await person(api, email, { attributes: { city: "Bern", constructor: ["a"], age: 36 } });
    for (const city of ["", "   ", null, 5, true, ["Basel"], { a: "b" }])
      expect([city, (await submit({ email, city })).status]).toEqual([city, 200]);
    expect((await submit({ email })).status).toBe(200);
    expect(await attributesOf(email)).toEqual({ city: "Bern", constructor: ["a"], age: 36 });
    await submit({ email, city: "Basel", constructor: "b" });
    expect(await attributesOf(email)).toEqual({ city: "Basel", constructor: "b", age: 36 });
  });

  test("more than 1,000 characters are a 400 that names the field, and nobody is signed up", async () => {
    const answer = await submit({ email: "long@example.com", city: "é".repeat(1_001) });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'The field "city" has more than 1000 characters. Shorten it.' },
    ]);
    expect(await found("long@example.com")).toBeNull();
    expect((await submit({ email: "long@example.com", city: "é".repeat(1_000) })).status).toBe(200);
    expect(await attributesOf("long@example.com")).toEqual({ city: "é".repeat(1_000) });
  });

  test("a form with as many fields as there may be, each as long as it may be, is taken in any encoding", async () => {
    const fields = Array.from({ length: 20 }, (_, i) => `field${i}`);
    const { id } = await newForm(api, { fields });
    const given = {
      email: "full@example.com",
      ...Object.fromEntries(fields.map((name) => [name, "日".repeat(1_000)])),
    };
    const over = await api.submit(id, {}, { body: new URLSearchParams(given) });
    expect(over.status).toBe(200);
    const small = Object.fromEntries(fields.map((name) => [name, "日".repeat(250)]));
    const taken = await api.submit(
      id,
      {},
      { body: new URLSearchParams({ email: "full2@example.com", ...small }) },
    );
    expect(taken.status).toBe(200);
    expect(await attributesOf("full2@example.com")).toEqual(small);
  });

  test("attributes beyond a limit are passed over, and the sign-up counts", async () => {
    const email = "limits@example.com";
    const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`n${i}`, 1]));
    await person(api, email, { attributes, status: "PENDING" });
    expect((await submit({ email, firstName: "Ada", city: "Bern" })).status).toBe(200);
    expect(await found(email)).toMatchObject({ status: "SUBSCRIBED", firstName: "Ada", attributes });
  });

  test("somebody who opted out stays as they are, attributes too", async () => {
    const email = "left@example.com";
    await person(api, email, { attributes: { city: "Bern" }, consent: "declined" });
    expect((await submit({ email, city: "Basel" })).status).toBe(200);
    expect(await found(email)).toMatchObject({ status: "UNSUBSCRIBED", attributes: { city: "Bern" } });
  });
});

test("with double opt-in they are kept at once, and confirming leaves them", async () => {
  await api.services.workspaces.changeSettings(api.workspaceId, { doubleOptIn: true });
  const email = "double@example.com";
  expect((await submit({ email, city: "Bern" })).status).toBe(200);
  expect(await found(email)).toMatchObject({ status: "PENDING", attributes: { city: "Bern" } });
  const [link] = await api.confirmLinks(email);
  expect((await fetch(api.url + link!, { method: "POST" })).status).toBe(200);
  expect(await found(email)).toMatchObject({ status: "SUBSCRIBED", attributes: { city: "Bern" } });
  await api.services.workspaces.changeSettings(api.workspaceId, { doubleOptIn: false });
});

test("the hosted form asks for them, and a person who fills in a field of the trap's name is no robot", async () => {
  const page = await (await fetch(`${api.url}/forms/${form.id}`)).text();
  for (const label of ["City", "Constructor", "Comments"]) expect(page).toContain(`>${label} <`);
  expect(page).not.toContain("not a name");
  const seal = /name="_shown" value="([^"]+)"/.exec(page)![1]!;
  const trap = /Leave this empty <input name="(\w+)"/.exec(page)![1]!;
  expect(FIELDS).not.toContain(trap);
  api.clock.shift(60_000);
  const given = { email: "person@example.com", comments: "https://example.com", _shown: seal };
  expect((await submit({ ...given, [trap]: "" })).status).toBe(200);
  expect(await attributesOf("person@example.com")).toEqual({ comments: "https://example.com" });
  expect((await submit({ ...given, email: "robot@example.com", [trap]: "x" })).status).toBe(200);
  expect(await found("robot@example.com")).toBeNull();
});
