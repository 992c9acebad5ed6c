/** From a file to a segment of its people, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TestApi } from "../support/api.ts";
import { lacksBrowser } from "../support/browser.ts";
import { axeProblems, closesBrowser, isWiderThanScreen, startConsole, visitAs } from "../support/console.ts";
import { SENDER } from "../support/sending.ts";
import { scriptedSmtp } from "../support/scripted-smtp.ts";

let api: TestApi;
const relay = scriptedSmtp();
closesBrowser();

const ATTACK = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
const file = (text: string, name = "people.csv") => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(text),
});
const rowsOf = (count: number): string =>
  Array.from({ length: count }, (_, i) => `p${i}@example.com;P${i};${i % 10 === 0 ? "Bern" : "Basel"}`).join(
    "\n",
  );

describe.skipIf(lacksBrowser())("an import in the console", () => {
  beforeAll(async () => {
    api = await startConsole({ smtpUrl: relay.url });
    await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
  });
  afterAll(async () => {
    await api.stop();
    relay.stop();
  });

  test("10,000 people come in with a mapping, a segment finds some, and a campaign goes to them", async () => {
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/imports/new");
    await page
      .locator("input[type=file]")
      .setInputFiles(file(`E-Mail;Rufname;Ort\n${rowsOf(10_000)}\nbroken;X;Y\n`));
    await page.getByLabel("What E-Mail becomes").selectOption("email");
    await page.getByLabel("What Rufname becomes").selectOption("firstName");
    await page.getByLabel("What Ort becomes").selectOption({ label: "Attribute: Ort" });
    await page.getByText("Say how they agreed").waitFor();
    expect(await page.getByRole("button", { name: "Import this file" }).isDisabled()).toBe(true);
    await page.getByLabel("They agreed to marketing mail").check();
    await page.getByText("p19@example.com").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Import this file" }).click();
    await page.getByText("10,001 rows read").waitFor({ timeout: 150_000 });
    await page.getByText("Done").waitFor();
    await page.getByRole("cell", { name: "10002" }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download as a file" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("people.csv.errors.csv");
    await page.getByRole("link", { name: "To the contacts" }).click();
    await page.getByText("10,000 people").waitFor();
    await page.getByRole("button", { name: "Add a condition" }).click();
    await page.getByRole("menuitem", { name: "attribute", exact: true }).click();
    await page.getByRole("combobox", { name: "Name of the attribute" }).fill("Ort");
    await page.getByRole("textbox", { name: "Value", exact: true }).fill("Bern");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("1,000 people").waitFor();
    await page.getByRole("button", { name: "Save as segment" }).click();
    await page.getByLabel("Name of the segment").fill("Bern");
    await page.keyboard.press("Enter");
    await page.getByText("1,000 people, 1,000 of them subscribed").waitFor();
    const segmentId = page.url().split("/").at(-1) ?? "";
    const campaign = { name: "To Bern", subject: "Hello", body: "<p>Hello</p>" };
    const { id } = (await api.call("POST", "/campaigns", campaign)).body.data;
    expect((await api.call("PATCH", `/campaigns/${id}/options`, { segmentId })).status).toBe(200);
    expect((await api.call("POST", `/campaigns/${id}/check`)).body.data.recipients).toBe(1_000);
    await api.call("POST", `/campaigns/${id}/send`);
    expect(new Set(relay.accepted.map(({ rcptTo }) => rcptTo[0])).size).toBe(1_000);
    expect(relay.accepted).toHaveLength(1_000);
    await visit.end();
  }, 240_000);

  test.each([
    { width: 1280, colorScheme: "light" },
    { width: 390, colorScheme: "dark" },
  ] as const)("hostile cells stay in their boxes ($width, $colorScheme)", async (look) => {
    const visit = await visitAs(api, "owner", look);
    const { page } = visit;
    await visit.open("/imports/new");
    await page.getByText("Drop a CSV file here").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const cell = ATTACK.replaceAll('"', '""');
    const text = `email,"${cell}",${"h".repeat(300)}\nx@example.com,"${cell}",${"y".repeat(500)}\n"${cell}",a,b\n`;
    await page.locator("input[type=file]").setInputFiles(file(text, `${ATTACK.replaceAll("/", "")}.csv`));
    await page.getByLabel("I do not know").check();
    await page.getByText("The first rows, as they will be").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await isWiderThanScreen(page)).toBe(false);
    await page.getByRole("button", { name: "Import this file" }).click();
    await page.getByText("2 rows read").waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await isWiderThanScreen(page)).toBe(false);
    await visit.open("/imports");
    await page.getByRole("cell").first().waitFor();
    expect([await axeProblems(page), await isWiderThanScreen(page)]).toEqual([[], false]);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    await visit.end();
  });

  test("by keyboard alone, and a file that is none says so; a viewer is told whom to ask", async () => {
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/imports/new");
    await page.locator("input[type=file]").setInputFiles(file("email,firstName\nkey@example.com,Kim\n"));
    await page.getByLabel("They agreed to marketing mail").focus();
    await page.keyboard.press("Space");
    await page.getByText("The first rows, as they will be").waitFor();
    await page.getByRole("button", { name: "Import this file" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("1 rows read").waitFor();
    await visit.open("/imports/new");
    await page.locator("input[type=file]").setInputFiles(file(""));
    await page.getByRole("alert").waitFor();
    await visit.end([422]);
    const viewer = await visitAs(api, "viewer");
    await viewer.open("/imports/new");
    await viewer.page.getByText("Your role does not allow this").waitFor();
    await viewer.end();
  });
});
