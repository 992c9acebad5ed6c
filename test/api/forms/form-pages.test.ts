import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { embedScript } from "#pages/forms/embed-script.ts";
import { shownFields } from "#pages/forms/form-fields.ts";
import { formLook } from "#pages/forms/form-look.ts";
import { answerPage, formPage } from "#pages/forms/form-page.ts";
import { confirmPage } from "#pages/confirm-page.ts";
import { LANGUAGES } from "#texts/language.ts";
import { attackTexts } from "../../support/common/attacks.ts";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import {
  expectHarmless,
  expectPrivate,
  plainSender,
  PRIVATE,
  readPage,
  textOf,
} from "../../support/browser/page-checks.ts";

let api: FormsApi;
beforeAll(async () => {
  api = await startForms();
});
afterAll(() => api.stop());

const visit = (path: string) => fetch(api.url + path);
const view = (text: string) => ({
  formName: text,
  sender: plainSender(text),
  action: "/api/forms/form_a/submit",
  fields: shownFields(["firstName", "lastName"], [], "en"),
  look: formLook(
    {
      buttonText: text,
      buttonColor: text,
      buttonTextColor: text,
      backgroundColor: text,
      textColor: text,
      cornerRadius: text,
      fontSize: text,
    },
    plainSender(text),
  ),
  seal: { name: "_shown", value: "x" },
  trapName: "comments",
});
const embed = (text: string) => ({
  ...view(text),
  formId: "form_a",
  language: "en" as const,
  waitMs: 2_000,
  thanks: text,
  note: text,
});

/** The hosted form has a less strict referrer policy. Everything else must be as on every other page. */
async function readFormPage(answer: Response): Promise<string> {
  expect(answer.headers.get("referrer-policy")).toBe("same-origin");
  const headers = new Headers(answer.headers);
  headers.set("referrer-policy", "no-referrer");
  return readPage(new Response(await answer.text(), { headers }));
}

describe("the hosted form", () => {
  test("shows the fields that a contact has, labelled, in the form's own look, without a script", async () => {
    const form = await newForm(api, {
      name: "Letters & more",
      fields: ["lastName", "shoeSize", "first name", "firstName", "vip_since", "shoeSize", "email"],
    });
    await api.call("PATCH", `/forms/${form.id}`, {
      style: {
        buttonText: "Go <on>",
        buttonColor: "#0b6e4f",
        backgroundColor: "navy",
        cornerRadius: "3px",
        fontSize: 20,
      },
    });
    const answer = await visit(`/forms/${form.id}`);
    expect(answer.status).toBe(200);
    const page = await readFormPage(answer);
    expect(textOf(page)).toBe(
      "Ada's Shop Letters & more Email address First name (optional) Last name (optional) Shoe size (optional) Vip since (optional) Leave this empty Go <on>",
    );
    expect([...page.matchAll(/<(?:label for|input id)="field-(\w+)"/g)].map(([, name]) => name)).toEqual([
      "email",
      "firstName",
      "lastName",
      "shoeSize",
      "vip_since",
    ]);
    for (const rule of [
      "--act: #0b6e4f",
      "--on-act: #ffffff",
      "--card: #000080",
      "--ink: #ffffff",
      "--radius: 3px",
      "font-size: 20px",
    ])
      expect(page).toContain(rule);
    expect(page).toContain(`action="/api/forms/${form.id}/submit"`);
  });

  test("a form that is not there is a 404 page; its script an empty 404", async () => {
    const page = await visit("/forms/form_none");
    expect([page.status, textOf(await readPage(page))]).toEqual([
      404,
      expect.stringContaining("does not exist"),
    ]);
    const script = await visit("/forms/form_none/embed.js");
    expect([script.status, await script.text()]).toEqual([404, ""]);
  });

  test("a trap that was filled in is told what everybody is told, and nothing is written", async () => {
    const form = await newForm(api);
    const seal = /name="_shown" value="([^"]+)"/.exec(await (await visit(`/forms/${form.id}`)).text())![1]!;
    api.clock.shift(60_000);
    const robot = await api.submit(form.id, {
      email: "robot@example.com",
      _shown: seal,
      comments: "https://spam.example",
    });
    expect([robot.status, await robot.json()]).toEqual([
      200,
      { ok: true, message: "Thanks! You're subscribed." },
    ]);
    expect((await api.call("GET", "/contacts?q=robot@")).body.data).toEqual([]);
    const person = await api.submit(form.id, { email: "person@example.com", _shown: seal, comments: "" });
    expect(person.status).toBe(200);
    expect((await api.call("GET", "/contacts?q=person@")).body.data).toHaveLength(1);
    const program = await api.submit(form.id, {
      email: "program@example.com",
      comments: "https://ada.example",
    });
    expect(program.status).toBe(200);
    expect((await api.call("GET", "/contacts?q=program@")).body.data).toHaveLength(1);
  });
});

describe("the embed script", () => {
  test("is under 5 KB with every field and colour in every language, is no page's to keep, and sets no cookie", async () => {
    const form = await newForm(api, { fields: ["firstName", "lastName"] });
    await api.services.workspaces.changeSettings(api.workspaceId, { doubleOptIn: true });
    await api.call("PATCH", `/forms/${form.id}`, {
      style: { backgroundColor: "#fff8e7", buttonText: "Count me in" },
    });
    for (const language of LANGUAGES) {
      await api.services.workspaces.changeSettings(api.workspaceId, { language });
      const inLanguage = await (await visit(`/forms/${form.id}/embed.js`)).text();
      expect(inLanguage).toContain(`"lang":"${language}"`);
      expect(Buffer.byteLength(inLanguage)).toBeLessThan(5_000);
    }
    await api.services.workspaces.changeSettings(api.workspaceId, { language: "en" });
    const answer = await visit(`/forms/${form.id}/embed.js`);
    const script = await answer.text();
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(Object.fromEntries(Object.keys(PRIVATE).map((name) => [name, answer.headers.get(name)]))).toEqual(
      PRIVATE,
    );
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(script).not.toMatch(/cookie|localStorage|innerHTML|eval|document\.write/);
    await api.services.workspaces.changeSettings(api.workspaceId, { doubleOptIn: false });
  });
});

describe("nothing that is typed anywhere breaks out (I-05)", () => {
  test("of a page: no element, attribute, address or style but ours", async () => {
    const styleOf = (page: string): string => /<style>(.*?)<\/style>/s.exec(page)![1]!;
    const ownRules = styleOf(await formPage(view("#123")).text()).split("{").length;
    for (const text of attackTexts()) {
      const again = { status: 400, error: text, typed: { email: text, firstName: text } };
      const pages = [
        formPage({ ...view(text), again }),
        answerPage({ status: 200, title: text, message: text, note: text, look: plainSender(text) }),
        confirmPage({
          look: plainSender(text),
          shownAddress: text,
          linkValidDays: 7,
          formPath: "/forms/form_a",
        }),
      ];
      for (const page of pages) expectHarmless(await page.text());
      const style = styleOf(await formPage(view(text)).text());
      expect([style.includes("evil"), style.split("{").length]).toEqual([
        false,
        ownRules - (formLook({ backgroundColor: text }, plainSender(text)).card ? 0 : 1),
      ]);
    }
  });

  test("of the script: every text comes out of it as it went in, and is only ever a text", async () => {
    for (const text of attackTexts()) {
      const script = await embedScript(embed(text)).text();
      expect(script).not.toMatch(/[<>][^=\s]*script/i);
      const config = readConfig(script);
      expect([config.name, config.thanks, config.note, config.button]).toEqual([
        text,
        text,
        text,
        formLook({ buttonText: text }, plainSender(text)).buttonText,
      ]);
      expect(config.css).not.toMatch(/evil|alert\(|url\(|@import/);
    }
  });
});

/** Runs the script with a document that only catches what it was given. */
function readConfig(script: string): any {
  const argument = script.slice(script.lastIndexOf(")({") + 2, script.lastIndexOf(");"));
  return JSON.parse(argument);
}

test("every public page of forms and confirmations carries the headers and policy of our pages", async () => {
  const form = await newForm(api);
  const html = { headers: { Accept: "text/html" } };
  await readFormPage(await visit(`/forms/${form.id}`));
  await readPage(await visit("/forms/none"));
  await readPage(await visit("/confirm/none"));
  await readPage(await api.submit(form.id, { email: "page@example.com" }, html), [], "*");
  await readPage(await api.submit(form.id, { email: "no" }, html), [], "*");
  const json = await api.submit(form.id, { email: "no" });
  expectPrivate(json.headers);
});
