/** A form from nothing to a confirmed subscriber, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { builtConsole } from "../../scripts/console/build.ts";
import { lacksBrowser } from "../support/browser.ts";
import { axeProblems, closesBrowser, isWiderThanScreen, visitAs } from "../support/console.ts";
import { contactOf, startForms, type FormsApi } from "../support/forms.ts";
import { listOf } from "../support/people.ts";

let api: FormsApi;
closesBrowser();

const ATTACK = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

describe.skipIf(lacksBrowser())("forms in the console", () => {
  beforeAll(async () => {
    await builtConsole();
    api = await startForms({ doubleOptIn: true, replyTo: "help@shop.example.org" });
    await listOf(api, "Newsletter");
  });
  afterAll(() => api.stop());

  test("from nothing to a confirmed subscriber, with a warning where colours cannot be read", async () => {
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/forms");
    await page.getByText("No forms yet").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Create a form" }).click();
    await page.getByLabel("Name", { exact: false }).first().fill("Stay in touch");
    await page.getByLabel("Text of the button").fill("Count me in");
    await page.getByRole("textbox", { name: "Button", exact: true }).fill("#777777");
    await page.getByRole("textbox", { name: "Text on the button", exact: true }).fill("#888888");
    await page.getByText("Below 4.5:1 many cannot read it").waitFor();
    await page.getByRole("textbox", { name: "Text on the button", exact: true }).fill("#ffffff");
    await page.getByRole("textbox", { name: "Button", exact: true }).fill("#0b6e4f");
    await page.getByRole("heading", { name: "Settings" }).click();
    const shown = page.frameLocator("iframe:not([hidden])");
    await shown.getByRole("button", { name: "Count me in" }).waitFor();
    await shown.getByRole("heading", { name: "Stay in touch" }).waitFor();
    await page.getByText("Not saved yet").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/^Saved /).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const id = page.url().split("/").at(-1) ?? "";
    await page.getByText(`/forms/${id}/embed.js`).waitFor();

    await page.goto(`${api.url}/forms/${id}`);
    api.clock.shift(10_000);
    await page.getByLabel("Email").fill("reader@example.com");
    await page.getByRole("button", { name: "Count me in" }).click();
    const [link = ""] = await api.confirmLinks("reader@example.com");
    expect((await contactOf(api, "reader@example.com")).status).toBe("PENDING");
    await page.goto(`${api.url}${link}`);
    await page.getByRole("button").click();
    await page.getByRole("heading").first().waitFor();
    await visit.open(`/forms/${id}`);
    await page.getByText("Asked to confirm").waitFor();
    expect((await contactOf(api, "reader@example.com")).status).toBe("SUBSCRIBED");
    expect((await api.call("GET", `/forms/${id}/stats`)).body.data).toEqual({
      asked: 1,
      confirmed: 1,
      joined: 1,
      left: 0,
    });
    await visit.end();
  });

  test("by keyboard alone: a form is renamed and saved", async () => {
    const form = (await api.call("POST", "/forms", { name: "Keys" })).body.data;
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/forms");
    await page.getByRole("link", { name: "Keys" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Text of the button").focus();
    await page.keyboard.type("Join");
    await page.getByRole("button", { name: "Save", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(/^Saved /).waitFor();
    expect((await api.call("GET", `/forms/${form.id}`)).body.data.style).toEqual({ buttonText: "Join" });
    await visit.end();
  });

  test.each([
    { width: 1280, colorScheme: "light" },
    { width: 390, colorScheme: "dark" },
  ] as const)(
    "hostile texts stay in their boxes, also in the shown form ($width, $colorScheme)",
    async (look) => {
      const hostile = {
        name: ATTACK + "N".repeat(90),
        successMessage: ATTACK,
        fields: [ATTACK.slice(0, 60), "city"],
      };
      const form = (await api.call("POST", "/forms", hostile)).body.data;
      await api.call("PATCH", `/forms/${form.id}`, {
        style: { buttonText: ATTACK, buttonColor: ATTACK, language: ATTACK },
      });
      const visit = await visitAs(api, "viewer", look);
      const { page } = visit;
      await visit.open("/forms");
      await page.getByText(ATTACK).first().waitFor();
      expect([await axeProblems(page), await isWiderThanScreen(page)]).toEqual([[], false]);
      await visit.open(`/forms/${form.id}`);
      await page.frameLocator("iframe:not([hidden])").getByRole("button").waitFor();
      expect([await axeProblems(page), await isWiderThanScreen(page)]).toEqual([[], false]);
      expect(await page.getByRole("button", { name: "Save", exact: true }).count()).toBe(0);
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      await visit.end();
    },
  );
});
