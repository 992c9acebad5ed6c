/** The two screens that begin a letter, in a real browser: both offer the same ways, and make the same of each. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { eventually } from "../../support/common/eventually.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const SCREENS = [
  { list: "campaigns", create: "Create campaign", ways: ["With blocks", "As source", "From a template"] },
  { list: "templates", create: "Create template", ways: ["With blocks", "As source"] },
];

describe.skipIf(lacksBrowser())("a new letter", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test.each(SCREENS)("$list: begins with blocks, or as source", async ({ list, create, ways }) => {
    const { page, open, end } = await visitAs(api, "editor");
    const begun = async (name: string, way: string | null) => {
      await open(`/${list}/new`);
      await page.getByRole("textbox", { name: "Name" }).fill(name);
      expect(await page.getByRole("radio").evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual(
        ways,
      );
      if (way !== null) await page.getByRole("radio", { name: way }).click();
      await page.getByRole("button", { name: create }).click();
      await page.getByRole("textbox", { name: "Subject" }).waitFor();
      const path = `/${list}/${new URL(page.url()).pathname.split("/").at(-1)}`;
      const written = list === "campaigns" ? `${path}/content` : path;
      return (await api.call("GET", written)).body.data;
    };
    const blocks = await begun("Spring", null);
    expect(blocks).toMatchObject({ subject: "Spring", format: "mjml" });
    expect(blocks.body).toContain("<mj-text>");
    expect(await begun("By hand", "As source")).toMatchObject({
      subject: "By hand",
      format: "html",
      body: "<p>Hello,</p>\n<p>write your letter here.</p>\n",
    });
    await end();
  });

  test("a campaign whose segment is gone is refused, and none is left behind", async () => {
    const { page, open, end } = await visitAs(api, "editor");
    await open("/campaigns/new?segment=seg_of_nobody");
    await page.getByRole("textbox", { name: "Name" }).fill("Autumn");
    for (const _ of ["asked", "asked again"]) {
      const refused = page.waitForResponse((answer) => answer.status() === 404);
      await page.getByRole("button", { name: "Create campaign" }).click();
      await refused;
      await page.getByRole("alert").waitFor();
    }
    await end([404]);
    const { data } = (await api.call("GET", "/campaigns?limit=100")).body;
    expect(data.map(({ name }: { name: string }) => name)).not.toContain("Autumn");
  });

  test("a campaign begins from any template, also from one with a hundred newer ones", async () => {
    const template = async (name: string): Promise<string> => {
      const letter = { name, subject: `${name}, as readers see it`, format: "html", body: "<p>Hello</p>" };
      return (await api.call("POST", "/templates", letter)).body.data.id;
    };
    const oldest = await template("The oldest");
    for (let i = 1; i <= 100; i++) await template(`Newer ${i}`);
    const { page, open, end } = await visitAs(api, "editor");
    const chosen = page.getByRole("combobox", { name: "Template" });
    await open(`/campaigns/new?template=${oldest}`);
    await page.getByRole("textbox", { name: "Name" }).fill("Spring");
    await eventually(async () => (await chosen.inputValue()) === "The oldest");

    await open("/campaigns/new");
    await page.getByRole("textbox", { name: "Name" }).fill("Summer");
    await page.getByRole("radio", { name: "From a template" }).click();
    await chosen.fill("oldest");
    await page.getByRole("option", { name: "The oldest" }).click();
    await page.getByRole("button", { name: "Create campaign" }).click();
    await page.getByRole("textbox", { name: "Subject" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Subject" }).inputValue()).toBe(
      "The oldest, as readers see it",
    );
    await end();
  });

  test("the name of a template is for colleagues: no campaign begins with it as its subject", async () => {
    const letter = { name: "Base 3, do not touch", subject: "Base 3, do not touch", body: "<p>Hello</p>" };
    const { id } = (await api.call("POST", "/templates", { ...letter, format: "html" })).body.data;
    const { page, open, end } = await visitAs(api, "editor");
    await open(`/campaigns/new?template=${id}`);
    await page.getByRole("textbox", { name: "Name" }).fill("Spring");
    await page.getByRole("button", { name: "Create campaign" }).click();
    await page.getByRole("textbox", { name: "Subject" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Subject" }).inputValue()).toBe("Spring");
    await end();
  });
});
