/** While nothing can be written, readers get a page of theirs, and forms the string that the contract promises. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { readPage, textOf } from "../../support/browser/page-checks.ts";
import { lockWrites, refuseWrites } from "../../support/server/refused-writes.ts";

let api: FormsApi;
let form: any;
let link: string;
beforeAll(async () => {
  api = await startForms({ doubleOptIn: true, replyTo: "help@shop.example.org" });
  form = await newForm(api);
  await api.submit(form.id, { email: "reader@example.com" });
  link = (await api.confirmLinks("reader@example.com"))[0]!;
});
afterAll(() => api.stop());

/** What a request gets while the database cannot be written. */
const whileFull = <T>(ask: () => Promise<T>): Promise<T> => during(refuseWrites, ask);

async function during<T>(trouble: typeof lockWrites, ask: () => Promise<T>): Promise<T> {
  const end = await trouble(api);
  try {
    return await ask();
  } finally {
    await end();
  }
}

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const INSIDE = /database|disk|written|SQL|log/i;

test("a program that posts to a form gets a string", async () => {
  const answer = await whileFull(() => api.submit(form.id, { email: "someone@example.com" }));
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { error: "That did not work. Please try again." },
  ]);
  expect(answer.headers.get("x-request-id")).toMatch(/\w/);
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect((await api.submit(form.id, { email: "someone@example.com" })).status).toBe(200);
});

test("a browser that posts a form gets a page, in its language, without what is inside", async () => {
  for (const [language, words] of [
    ["de", "Das hat nicht geklappt."],
    ["en", "That did not work. Please try again."],
  ] as const) {
    const headers = { ...BROWSER, "accept-language": language };
    const answer = await whileFull(() => api.submit(form.id, { email: "other@example.com" }, { headers }));
    const shown = textOf(await readPage(answer, [], "*"));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([500, "text/html; charset=utf-8"]);
    expect(shown).toContain(words);
    expect(shown).not.toMatch(INSIDE);
    expect(answer.headers.get("x-request-id")).toMatch(/\w/);
  }
});

test("the button of a page gets a page; a program what the API says; once there is room it works", async () => {
  const press = (headers: Record<string, string>) => fetch(api.url + link, { method: "POST", headers });
  const page = await whileFull(() => press(BROWSER));
  expect(page.status).toBe(500);
  expect(textOf(await readPage(page))).not.toMatch(INSIDE);
  const program = await whileFull(() => press({ accept: "application/json" }));
  expect([program.status, ((await program.json()) as any).error.code]).toEqual([500, "INTERNAL_ERROR"]);
  expect((await press(BROWSER)).status).toBe(200);
});

test("while the database is locked, everybody is told when to try again", async () => {
  await api.submit(form.id, { email: "unconfirmed@example.com" });
  const [unconfirmed] = await api.confirmLinks("unconfirmed@example.com");
  const asked = {
    form: () => api.submit(form.id, { email: "later@example.com" }),
    page: () => api.submit(form.id, { email: "later@example.com" }, { headers: BROWSER }),
    button: () => fetch(api.url + unconfirmed, { method: "POST", headers: BROWSER }),
  };
  for (const [what, ask] of Object.entries(asked)) {
    const { status, headers } = await during(lockWrites, ask);
    expect([what, status, headers.get("retry-after")]).toEqual([what, 503, "10"]);
  }
  const { status, headers, body } = await during(lockWrites, () =>
    api.call("POST", "/lists", { name: "Locked" }),
  );
  expect([status, headers.get("retry-after"), body.error.code]).toEqual([503, "10", "UNAVAILABLE"]);
  expect((await asked.form()).status).toBe(200);
  expect((await api.call("GET", "/lists?q=Locked")).body.data).toEqual([]);
});
