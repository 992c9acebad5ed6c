/** docs/contract.md "Forms": what became of a form's submissions. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { contactOf } from "../../support/people/people.ts";

let api: FormsApi;
beforeAll(async () => {
  api = await startForms({ doubleOptIn: true, name: "Shop", replyTo: "help@shop.example.org" });
});
afterAll(() => api.stop());

const stats = async (id: string): Promise<unknown> => (await api.call("GET", `/forms/${id}/stats`)).body.data;
const confirm = async (email: string): Promise<void> => {
  const [link = ""] = await api.confirmLinks(email);
  const answer = await fetch(api.url + link, { method: "POST" });
  expect(answer.status).toBe(200);
};

test("who asked, who confirmed, who joined and who left are counted for this form alone", async () => {
  const form = await newForm(api);
  const other = await newForm(api);
  expect(await stats(form.id)).toEqual({ asked: 0, confirmed: 0, joined: 0, left: 0 });
  for (const email of ["a@example.com", "b@example.com", "c@example.com"])
    await api.submit(form.id, { email });
  await api.submit(other.id, { email: "d@example.com" });
  expect(await stats(form.id)).toEqual({ asked: 3, confirmed: 0, joined: 0, left: 0 });
  await confirm("a@example.com");
  await confirm("b@example.com");
  expect(await stats(form.id)).toEqual({ asked: 3, confirmed: 2, joined: 2, left: 0 });
  const { id } = await contactOf(api, "a@example.com");
  await api.call("PATCH", `/contacts/${id}`, { consent: "declined" });
  expect(await stats(form.id)).toEqual({ asked: 3, confirmed: 2, joined: 2, left: 1 });
  await api.call("DELETE", `/contacts/${(await contactOf(api, "b@example.com")).id}`);
  expect(await stats(form.id)).toEqual({ asked: 3, confirmed: 2, joined: 2, left: 2 });
  expect(await stats(other.id)).toEqual({ asked: 1, confirmed: 0, joined: 0, left: 0 });
});

test("without confirmation who joins has not been asked", async () => {
  await api.services.workspaces.changeSettings(api.workspaceId, { doubleOptIn: false });
  const form = await newForm(api);
  await api.submit(form.id, { email: "e@example.com" });
  expect(await stats(form.id)).toEqual({ asked: 0, confirmed: 0, joined: 1, left: 0 });
  expect((await api.call("GET", "/forms/form_nobodys/stats")).status).toBe(404);
});

test("a preview shows changes of a form as its page will, and keeps nothing of them", async () => {
  const form = await newForm(api);
  const before = (await api.call("GET", `/forms/${form.id}`)).body.data;
  const style = { buttonText: "Count me in", buttonColor: "#0b6e4f" };
  const { body } = await api.call("POST", `/forms/${form.id}/preview`, {
    name: "<Stay>",
    fields: ["city"],
    style,
  });
  expect(body.data.html).toContain("Count me in");
  expect(body.data.html).toContain("&lt;Stay&gt;");
  expect(body.data.html).toContain('name="city"');
  expect((await api.call("GET", `/forms/${form.id}`)).body.data).toEqual(before);
  expect((await api.call("POST", `/forms/${form.id}/preview`, { name: "" })).status).toBe(422);
  expect((await api.call("POST", "/forms/form_nobodys/preview", {})).status).toBe(404);
});
