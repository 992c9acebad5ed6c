import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { compileConfirmation } from "#mail/letter/single/confirmation-mail.ts";
import { CONFIRMATION_MJML } from "#mail/letter/single/confirmation-template.ts";
import { compileMjml } from "#mail/html/mjml/mjml.ts";
import { unwrap } from "#core/errors/errors.ts";
import { LANGUAGES } from "#texts/language.ts";
import { filledIn, textsIn } from "#texts/texts.ts";
import { BASE_URL } from "../../support/server/api.ts";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { readPage, textOf } from "../../support/browser/page-checks.ts";
import { listOf } from "../../support/people/people.ts";
import { makePublic } from "../../support/people/preferences.ts";
import { makeAudience, makeCampaign, send } from "../../support/sending/sending.ts";

const LOGO = "https://cdn.example.com/our;logo,1.png";
const PLAIN = {
  name: "Ada's Shop",
  language: "en",
  brandColor: "",
  logoUrl: "",
  doubleOptIn: false,
} as const;

let api: FormsApi;
beforeAll(async () => {
  api = await startForms();
});
afterEach(() => settings(PLAIN));
afterAll(() => api.stop());

const settings = (change: object): Promise<void> =>
  api.services.workspaces.changeSettings(api.workspaceId, change);
const visit = (path: string, headers: Record<string, string> = {}) => fetch(api.url + path, { headers });
const langOf = (page: string): string => /<html lang="([^"]*)">/.exec(page)![1]!;
const asBrowser = { Accept: "text/html", "Content-Type": "application/x-www-form-urlencoded" };

/** As `textOf` writes it: a space that does not break is one like the others. */
const spaced = (text: string): string => text.replaceAll(/\s+/g, " ");

let people = 0;
const newAddress = (): string => `reader-${++people}@example.com`;
async function mailTo(address: string) {
  const { raw } = api.relay.accepted.findLast(({ rcptTo }) => rcptTo[0] === address)!;
  return PostalMime.parse(Buffer.from(raw, "latin1"));
}

describe.each(LANGUAGES)("in %s", (language) => {
  const texts = textsIn(language);

  test("a campaign's footer says Unsubscribe, and Preferences where there are public lists", async () => {
    await settings({ language });
    const address = newAddress();
    const { listId } = await makeAudience(api, [address]);
    await send(api, await makeCampaign(api, listId));
    const before = await mailTo(address);
    for (const part of [before.html!, before.text!]) {
      expect(part).toContain(texts.footer.unsubscribe);
      expect(part).not.toContain(`${BASE_URL}/p/`);
    }
    const list = await listOf(api, "News");
    await makePublic(api, list);
    await send(api, await makeCampaign(api, listId, { subject: "Again" }));
    const { html, text } = await mailTo(address);
    const links = [
      ...html!.matchAll(/<a href="https:\/\/mail\.example\.org\/([pu])\/([^"]+)"[^>]*>([^<]+)<\/a>/g),
    ];
    expect(links.map(([, kind, , words]) => [kind, words])).toEqual([
      ["p", texts.footer.preferences],
      ["u", texts.footer.unsubscribe],
    ]);
    expect(new Set(links.map(([, , token]) => token)).size).toBe(1);
    expect(text).toContain(`${texts.footer.preferences}: ${BASE_URL}/p/`);
    expect(text).toContain(`${texts.footer.unsubscribe}: ${BASE_URL}/u/`);
    expect(html!.includes(` lang="${language}"`)).toBe(language !== "en");
    await api.call("DELETE", `/lists/${list}`);
  });

  test("form, thanks, confirmation mail and its page speak it, all of them", async () => {
    await settings({ language, doubleOptIn: true });
    const form = await newForm(api, { fields: ["firstName", "lastName"] });
    const shown = await (await visit(`/forms/${form.id}`)).text();
    expect(langOf(shown)).toBe(language);
    for (const words of [texts.form.email, texts.form.firstName, texts.form.lastName, texts.form.button])
      expect(textOf(shown)).toContain(words);
    const script = await (await visit(`/forms/${form.id}/embed.js`)).text();
    for (const words of [texts.form.button, texts.form.failed, texts.form.offline])
      expect(script).toContain(JSON.stringify(words).slice(1, -1));

    const email = newAddress();
    const body = new URLSearchParams({ email });
    const thanks = await (await api.submit(form.id, {}, { body, headers: asBrowser })).text();
    expect([langOf(thanks), textOf(thanks)]).toEqual([
      language,
      expect.stringContaining(spaced(`${texts.form.oneMoreStep} ${texts.form.inbox} ${texts.page.close}`)),
    ]);
    const [link] = await api.confirmLinks(email);
    const mail = await mailTo(email);
    const places = { sender: "Ada's Shop", days: "7" };
    expect(mail.subject).toBe(filledIn(texts.confirmationMail.subject, places));
    expect(/<html[^>]* lang="([^"]*)"/.exec(mail.html!)?.[1]).toBe(language);
    for (const part of [textOf(mail.html!), spaced(mail.text!)])
      for (const words of [texts.confirmationMail.explain, texts.confirmationMail.valid])
        expect(part).toContain(spaced(filledIn(words, places)));
    expect(mail.html + mail.text!).not.toMatch(/%[A-Z]+%|undefined/);
    const confirm = await (await visit(link!)).text();
    expect([langOf(confirm), textOf(confirm)]).toEqual([
      language,
      expect.stringContaining(texts.confirm.heading),
    ]);
    const done = await (await fetch(api.url + link!, { method: "POST" })).text();
    expect(textOf(done)).toContain(texts.confirm.doneHeading);
  });

  test("a form says what is wrong, on a page and to programs", async () => {
    await settings({ language });
    const form = await newForm(api);
    for (const [fields, status, words] of [
      [{}, 400, texts.form.noAddress],
      [{ email: "ada" }, 400, language === "en" ? "The email address has no @." : texts.form.badAddress],
      [
        { email: "ada@example.com", firstName: "x".repeat(201) },
        400,
        filledIn(texts.form.tooLong, { field: JSON.stringify(texts.form.firstName), max: "200" }),
      ],
    ] as const) {
      const json = await api.submit(form.id, fields);
      expect([json.status, await json.json()]).toEqual([status, { error: expect.stringContaining(words) }]);
      const html = await api.submit(form.id, {}, { body: new URLSearchParams(fields), headers: asBrowser });
      const page = await html.text();
      expect([html.status, langOf(page)]).toEqual([status, language]);
      expect(textOf(page)).toContain(words);
    }
  });

  test("a link that is nobody's speaks it where the reader's browser does", async () => {
    for (const path of ["/u/x", "/p/x", "/c/x/0", "/confirm/x", "/o/x"]) {
      const page = await readPage(await visit(path, { "Accept-Language": `sv, ${language};q=0.9` }));
      expect([langOf(page), textOf(page)]).toEqual([
        language,
        expect.stringContaining(texts.brokenLink.heading),
      ]);
    }
    const noForm = await (await visit("/forms/none", { "Accept-Language": language })).text();
    expect([langOf(noForm), textOf(noForm)]).toEqual([language, expect.stringContaining(texts.form.noForm)]);
  });
});

describe("a form's own language", () => {
  test("wins over the workspace's, on its pages and in its mail, and unknown ones are passed over", async () => {
    await settings({ language: "de", doubleOptIn: true });
    const form = await newForm(api);
    const langNow = async () => langOf(await (await visit(`/forms/${form.id}`)).text());
    for (const [style, language] of [
      [{ language: "nl" }, "nl"],
      [{ language: "NL" }, "de"],
      [{ language: "xx" }, "de"],
      [{ language: ["fr"] }, "de"],
      [{}, "de"],
      [{ language: "pl" }, "pl"],
    ] as const) {
      await api.call("PATCH", `/forms/${form.id}`, { style });
      expect([style, await langNow()]).toEqual([style, language]);
    }
    const email = newAddress();
    await api.submit(form.id, { email });
    const [link] = await api.confirmLinks(email);
    const { subject } = await mailTo(email);
    expect(subject).toBe(filledIn(textsIn("pl").confirmationMail.subject, { sender: "Ada's Shop" }));
    expect(langOf(await (await visit(link!)).text())).toBe("pl");
    await api.call("DELETE", `/forms/${form.id}`);
    expect(langOf(await (await visit(link!)).text())).toBe("de");
  });
});

describe("the sender's colour and logo", () => {
  test("are on every public page of theirs; its policy allows this image and no other", async () => {
    await settings({ brandColor: "#0b6e4f", logoUrl: `${LOGO}?v=2` });
    const form = await newForm(api);
    const { raw } = await (async () => {
      const address = newAddress();
      const { listId } = await makeAudience(api, [address]);
      await send(api, await makeCampaign(api, listId));
      return api.relay.accepted.findLast(({ rcptTo }) => rcptTo[0] === address)!;
    })();
    const token = /\/u\/([A-Za-z0-9_-]{22})/.exec(raw.replaceAll("=\r\n", ""))![1]!;
    const posted = await api.submit(form.id, {}, { body: new URLSearchParams(), headers: asBrowser });
    for (const answer of [
      await visit(`/u/${token}`),
      await visit(`/p/${token}`),
      await visit(`/forms/${form.id}`),
      posted,
    ]) {
      const page = await answer.text();
      expect(page).toContain(`<img class="logo" src="${LOGO}?v=2" alt="" referrerpolicy="no-referrer" />`);
      expect(page).toContain("--act: #0b6e4f; --on-act: #ffffff;");
      expect(answer.headers.get("content-security-policy")).toContain(
        "; img-src data: https://cdn.example.com/our%3Blogo%2C1.png;",
      );
    }
    expect(await (await visit("/u/x")).text()).not.toContain("<img");
  });

  test("a form's own button colours win over it", async () => {
    await settings({ brandColor: "#0b6e4f" });
    const form = await newForm(api);
    const script = async () => (await visit(`/forms/${form.id}/embed.js`)).text();
    expect(await script()).toContain("background:#0b6e4f");
    await api.call("PATCH", `/forms/${form.id}`, { style: { buttonColor: "#ffe066" } });
    const page = await (await visit(`/forms/${form.id}`)).text();
    expect(page.lastIndexOf("--act: #ffe066; --on-act: #000000")).toBeGreaterThan(
      page.indexOf("--act: #0b6e4f"),
    );
    expect(await script()).toContain("background:#ffe066");
  });

  test("are in the confirmation mail; the link is moved to a colour that can be read", async () => {
    await settings({ doubleOptIn: true, brandColor: "#ffe066", logoUrl: LOGO });
    const form = await newForm(api);
    const email = newAddress();
    await api.submit(form.id, { email });
    await api.confirmLinks(email);
    const { html } = await mailTo(email);
    expect(html).toContain(`<img src="${LOGO}" alt=""`);
    expect(html).toMatch(/background:#ffe066/i);
    expect(html).toMatch(/color:#000000/i);
    expect(html).not.toMatch(/#1f56c|#fffffe|;\s*color:#ffe066/i);
  });

  test("a letter that an earlier version had queued is in English and our own colours", async () => {
    const source = {
      workspaceName: "%URL% #1f56c3 <b>",
      from: { name: "Ada", address: "ada@example.com" },
      replyTo: null,
      feedbackId: "a:b:c:d",
      linkValidDays: 7,
    };
    const compose = compileConfirmation(
      source,
      unwrap(await compileMjml(CONFIRMATION_MJML, "https://mail.example.org")),
    );
    const recipient = {
      address: "grace@example.com",
      messageId: "x@example.com",
      date: 0,
      confirmUrl: `${BASE_URL}/confirm/x`,
    };
    const { bytes } = unwrap(compose(recipient));
    const { html, subject } = await PostalMime.parse(Buffer.from(bytes as string, "latin1"));
    expect(subject).toBe("Please confirm your subscription to %URL% #1f56c3 <b>");
    expect(html).toContain("%URL% #1f56c3 &lt;b&gt;");
    expect(html).toMatch(/background:#1f56c3/i);
    expect(html).not.toContain("<img");
  });
});
