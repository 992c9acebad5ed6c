/** Words with little room are not written over others, and not cut off where somebody has to choose by them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { person } from "../../support/people/people.ts";
import { makeAudience, makeCampaign, startSending, type SendingApi } from "../../support/sending/sending.ts";

const LONG = "lieblingsfarbe_des_hauses_am_meer";
const LONGEST = `${LONG}_wie_sie_frueher_war`;

let api: SendingApi;
let campaign: string;
closesBrowser();

describe.skipIf(lacksBrowser())("words with little room", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
    campaign = await makeCampaign(api, (await makeAudience(api, ["ada@example.com"])).listId);
    await person(api, "grace@example.com", { attributes: { [LONG]: "blue", [LONGEST]: "red" } });
  });
  afterAll(() => api.stop());

  test("a column of contacts whose attribute has a long name leaves the next heading its place, and says all of it", async () => {
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/contacts?columns=${LONG}`);
    const head = page.getByRole("columnheader", { name: LONG });
    await head.waitFor();
    expect([
      await head.evaluate((one: any) => one.ownerDocument.defaultView.getComputedStyle(one).overflowX),
      await head.getAttribute("title"),
    ]).toEqual(["hidden", LONG]);
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByLabel(LONGEST).waitFor();
    const isCut = (places: string) =>
      page.locator(places).evaluate((one: any) => one.scrollWidth > one.clientWidth);
    expect(await isCut(".contacts-columns")).toBe(false);
    await open(`/campaigns/${campaign}`);
    await page.getByRole("button", { name: "Insert" }).first().click();
    await page.getByRole("menuitem", { name: LONGEST }).waitFor();
    expect(await isCut(".letter-tags")).toBe(false);
    await end();
  });

  test("a long tag in a narrow column of contacts ends in dots, not at the edge of the column", async () => {
    const tag = "came-by-the-stand-at-the-fair-of-last-november";
    await person(api, "linus@example.com", { tags: [tag], attributes: { city: "Portland", plan: "pro" } });
    const { page, open, end } = await visitAs(api, "editor", { width: 1100 });
    await open("/contacts?columns=city,plan");
    const shown = page.getByText(tag, { exact: true });
    await shown.waitFor();
    const [inside, column] = [
      await shown.boundingBox(),
      await page.getByTitle(tag, { exact: true }).boundingBox(),
    ];
    expect(inside!.x + inside!.width).toBeLessThanOrEqual(column!.x + column!.width);
    await end();
  });

  test("a phone shows all looks of a letter, in German too", async () => {
    const { page, open, end } = await visitAs(api, "editor", { width: 360, locale: "de-DE" });
    await open(`/campaigns/${campaign}`);
    const looks = page.getByRole("radiogroup").filter({ hasText: "Postfach" });
    await looks.waitFor();
    const { x = 0, width = 0 } = (await looks.boundingBox()) ?? {};
    const last = await looks.getByText("Postfach").boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(x + width);
    await end();
  });

  test("where there is room, a choice on a phone stays as wide as a finger", async () => {
    await api.call("POST", "/automations", { name: "Welcome" });
    const { page, open, end } = await visitAs(api, "editor", { width: 360 });
    await open("/automations");
    const all = page.getByRole("radiogroup").locator("label", { hasText: /^All$/ });
    await all.waitFor();
    expect((await all.boundingBox())?.width).toBeGreaterThan(36);
    await end();
  });
});
