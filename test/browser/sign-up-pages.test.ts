/** The pages around a sign-up, and those of a test mail: in every brand colour, looked at by axe, used by keyboard alone. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { present } from "#core/present.ts";
import { BASE_URL } from "../support/server/api.ts";
import { axeProblems } from "../support/browser/axe.ts";
import { lacksBrowser, openBrowser, overflows, picture, visitor } from "../support/browser/browser.ts";
import { newForm, startForms, type FormsApi } from "../support/people/forms.ts";
import { contactOf } from "../support/people/people.ts";
import { tabStops } from "../support/browser/keyboard.ts";
import { headerOf, makeCampaign } from "../support/sending/sending.ts";

const WIDTHS = [1280, 390] as const;
/** Colours that would be hard to read if nobody looked; the first is none. */
const LOOKS = ["", "#ffe066", "#0b1020"].flatMap((colour) => WIDTHS.map((width) => [colour, width] as const));

let api: FormsApi;
let browser: Browser;

/** Looks at a page as it is shown now, by day and by night. */
async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await picture(page, `${name}-${page.viewportSize()?.width}-${colorScheme}`);
    const found = { name, colorScheme, axe: await axeProblems(page), isTooWide: await overflows(page) };
    expect(found).toEqual({ name, colorScheme, axe: [], isTooWide: false });
  }
}

/** A visitor whose browser runs axe, in front of the workspace's pages in this colour. */
async function visit(brandColor: string, width: number) {
  await api.services.workspaces.changeSettings(api.workspaceId, { brandColor });
  return visitor(browser, width, "light", true);
}

/** What the unsubscribe link of a test mail has behind `/u/`. */
async function testToken(): Promise<string> {
  const id = await makeCampaign(api, null);
  await api.call("POST", `/campaigns/${id}/test`, { to: "me@example.com" });
  const { raw } = present(api.relay.accepted.at(-1), "test mail");
  const field = present(headerOf(raw, "List-Unsubscribe"), "List-Unsubscribe").replaceAll(/\s/g, "");
  return present(new RegExp(`${BASE_URL}/u/([\\w-]+)`).exec(field)?.[1], "token");
}

describe.skipIf(lacksBrowser())("in a browser, by keyboard alone", () => {
  beforeAll(async () => {
    api = await startForms({ doubleOptIn: true });
    browser = await openBrowser();
  });
  // All visitors come from this machine: nobody is to be the sixth within ten minutes.
  beforeEach(() => api.clock.shift(61 * 60_000));
  afterAll(async () => {
    await browser.close();
    await api.stop();
  });

  test.each(LOOKS)(
    "a sign-up that is refused, mended and taken, in the colour %p, %d pixels wide",
    async (colour, width) => {
      const form = await newForm(api, { fields: ["firstName"] });
      const { page, complaints, close } = await visit(colour, width);
      const email = `ada-${colour.slice(1)}-${width}@example.com`;
      await page.goto(`${api.url}/forms/${form.id}`);
      expect(await tabStops(page, 1)).toEqual(["email"]);
      await page.keyboard.type("ada@localhost");
      expect(await tabStops(page, 2)).toEqual(["firstName", "Subscribe"]);
      api.clock.shift(60_000);
      await page.keyboard.press("Enter");
      await page.getByText("must have a dot").waitFor();
      await look(page, `form-refused-${colour.slice(1)}`);
      expect(await contactOf(api, email)).toBeNull();

      api.clock.shift(60_000);
      await page.getByLabel("Email address").focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.type(email);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Thanks! One more step." }).waitFor();
      await look(page, `form-thanks-${colour.slice(1)}`);
      expect((await contactOf(api, email)).status).toBe("PENDING");
      expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
      await close();
    },
    60_000,
  );

  test.each(LOOKS)(
    "a confirmation, in the colour %p, %d pixels wide",
    async (colour, width) => {
      const form = await newForm(api);
      const email = `grace-${colour.slice(1)}-${width}@example.com`;
      await api.submit(form.id, { email });
      const [link] = await api.confirmLinks(email);
      const { page, complaints, close } = await visit(colour, width);
      await page.goto(api.url + present(link, "link"));
      await look(page, `confirm-${colour.slice(1)}`);
      expect((await contactOf(api, email)).status).toBe("PENDING");
      expect(await tabStops(page, 1)).toEqual(["Confirm subscription"]);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "You are subscribed" }).waitFor();
      await look(page, `confirmed-${colour.slice(1)}`);
      expect((await contactOf(api, email)).status).toBe("SUBSCRIBED");
      expect(complaints).toEqual([]);
      await close();
    },
    60_000,
  );

  test.each(LOOKS)(
    "a confirmation link that came too late, in the colour %p, %d pixels wide",
    async (colour, width) => {
      const form = await newForm(api);
      const email = `late-${colour.slice(1)}-${width}@example.com`;
      await api.submit(form.id, { email });
      const [link] = await api.confirmLinks(email);
      api.clock.shift(40 * 24 * 60 * 60_000);
      const { page, close } = await visit(colour, width);
      await page.goto(api.url + present(link, "link"));
      await page.getByRole("heading", { name: "This link has expired" }).waitFor();
      await look(page, `confirm-late-${colour.slice(1)}`);
      expect((await contactOf(api, email)).status).toBe("PENDING");
      await close();
    },
    60_000,
  );

  // These pages are nobody's: their links name no workspace, so they have no colour of one.
  test.each(WIDTHS)(
    "every link of a test mail, and one that was cut off, says so, %d pixels wide",
    async (width) => {
      const { page, close } = await visit("", width);
      const token = await testToken();
      const shown = new Set<string>();
      for (const kind of ["u", "w", "p"]) {
        await page.goto(`${api.url}/${kind}/${token}`);
        await page.getByRole("heading", { name: "This was a test" }).waitFor();
        shown.add(await page.content());
      }
      // One page for all three, and nothing on it that could be pressed.
      expect(shown.size).toBe(1);
      expect(await page.locator("a, button, input").count()).toBe(0);
      await look(page, "test-mail");
      await page.goto(`${api.url}/confirm/cut-off`);
      await page.getByRole("heading", { name: "This link does not work" }).waitFor();
      await look(page, "confirm-broken");
      await close();
    },
    60_000,
  );
});
