/** Files of every kind on the screens of imports. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TestApi } from "../../support/server/api.ts";
import { encoded } from "../../support/people/encoded.ts";
import { peopleOf } from "../../support/people/imports.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import {
  axeProblems,
  closesBrowser,
  isWiderThanScreen,
  startConsole,
  visitAs,
} from "../../support/browser/console.ts";

let api: TestApi;
closesBrowser();

const ATTACK = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
const file = (text: string, name = "people.csv") => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(text),
});

describe.skipIf(lacksBrowser())("an import in the console", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test.each([
    { width: 1280, colorScheme: "light" },
    { width: 390, colorScheme: "dark" },
  ] as const)("hostile cells stay in their boxes ($width, $colorScheme)", async (look) => {
    const visit = await visitAs(api, "owner", look);
    const { page } = visit;
    await visit.open("/imports/new");
    await page.getByText("Drop a CSV file here").waitFor();
    const cell = ATTACK.replaceAll('"', '""');
    const text = `email,"${cell}",${"h".repeat(300)}\nx@example.com,"${cell}",${"y".repeat(500)}\n"${cell}",a,b\n`;
    await page.locator("input[type=file]").setInputFiles(file(text, `${ATTACK.replaceAll("/", "")}.csv`));
    await page.getByLabel("I do not know").check();
    await page.getByText("The first rows, as they will be").waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await page.getByText("2 rows read").waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    await visit.open("/imports");
    await page.getByRole("cell").first().waitFor();
    expect(await isWiderThanScreen(page)).toBe(false);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    await visit.end();
  });

  test("values are kept as the numbers and dates that they are, or as somebody chooses", async () => {
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/imports/new");
    const text =
      "email;Umsatz;Geburtstag;Kennung\neva@typed.example;1.234,50;10.12.1985;4711\nkurt@typed.example;viel;9.12.1996;12\n";
    await page.locator("input[type=file]").setInputFiles(file(text));
    const kept = (column: string) => page.getByLabel(`What the values of ${column} are kept as`);
    expect(await kept("Geburtstag").inputValue()).toBe("date-dmy");
    expect([await kept("Umsatz").inputValue(), await kept("Kennung").inputValue()]).toEqual([
      "text",
      "number",
    ]);
    expect(await kept("email").count()).toBe(0);
    await kept("Umsatz").selectOption({ label: "As a number: 1.234,50" });
    await kept("Kennung").selectOption({ label: "As text" });
    await page.getByLabel("They agreed to marketing mail").check();
    await page.getByText('imported with Umsatz as text: "viel" is no number').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await page.getByText("2 rows read").waitFor();
    const people = await peopleOf(api);
    expect(people["eva@typed.example"].attributes).toEqual({
      Umsatz: 1234.5,
      Geburtstag: "1985-12-10",
      Kennung: "4711",
    });
    await visit.end();
  });

  test("in German, numbers and yes or no are shown as they are written there, in a preview and in the contacts", async () => {
    const visit = await visitAs(api, "editor", { locale: "de-DE" });
    const { page } = visit;
    await visit.open("/imports/new");
    const text = "email;Betrag;Kunde\nina@german.example;1.234,5;ja\nkai@german.example;12;nein\n";
    await page.locator("input[type=file]").setInputFiles(file(text));
    const kept = (column: string) => page.getByLabel(`Als was die Werte von ${column} gespeichert werden`);
    await kept("Betrag").selectOption("number-comma");
    await kept("Kunde").selectOption("boolean");
    await page.getByLabel("Ich weiß es nicht").check();
    await page
      .getByRole("row", { name: /^2 ina@german.example Wartet auf Bestätigung 1234,5 Ja$/ })
      .waitFor();
    await page.getByRole("button", { name: "2 Zeilen importieren" }).click();
    await page.getByText("2 Zeilen gelesen").waitFor();
    await visit.open("/contacts?q=german.example&columns=Betrag,Kunde");
    await page.getByRole("row", { name: /ina@german\.example.*1234,5 Ja/ }).waitFor();
    await page.getByRole("row", { name: /kai@german\.example.*12 Nein/ }).waitFor();
    await visit.end();
  });

  test("the values of a column stand where it is said what they become, on a phone too", async () => {
    const visit = await visitAs(api, "editor", { width: 390 });
    await visit.open("/imports/new");
    await visit.page
      .locator("input[type=file]")
      .setInputFiles(file("email;Umsatz\neva@typed.example;1.234,50\n"));
    await visit.page.getByLabel("What the values of Umsatz are kept as").waitFor();
    expect(await visit.page.getByText("1.234,50", { exact: true }).filter({ visible: true }).count()).toBe(1);
    await visit.end();
  });

  test("a file whose encoding is not known is read as the one that is chosen", async () => {
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/imports/new");
    const text =
      "email,firstName,status\nlech@lodz.example,Michał,PENDING\nola@lodz.example,Małgorzata,LEFT\n";
    const buffer = encoded("windows-1250", text);
    await page.locator("input[type=file]").setInputFiles({ ...file(""), buffer });
    await page.getByText("It cannot be told how the letters of this file are written.").waitFor();
    await page.getByLabel("How its letters are written").selectOption({ label: "Turkish (Windows-1254)" });
    await page.getByText("Micha³").first().waitFor();
    await page
      .getByLabel("How its letters are written")
      .selectOption({ label: "Central Europe (Windows-1250)" });
    await page.getByText("Michał").first().waitFor();
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    const failed = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download these rows" }).click();
    expect(await Bun.file(await (await failed).path()).text()).toContain("ola@lodz.example,Małgorzata,LEFT");
    expect((await peopleOf(api))["lech@lodz.example"]).toMatchObject({ firstName: "Michał" });
    // This page does not know any more what was chosen; the server does.
    await page.reload();
    await page.getByRole("button", { name: "Choose the file again to get its rows" }).waitFor();
    await page.locator("input[type=file]").setInputFiles({ ...file(""), buffer });
    const again = page.waitForEvent("download");
    expect(await Bun.file(await (await again).path()).text()).toContain("ola@lodz.example,Małgorzata,LEFT");
    await visit.end([422]);
  });

  test("a file whose encoding is only seen far behind its beginning asks for it too", async () => {
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/imports/new");
    const plain = Array.from(
      { length: 40 },
      (_, n) => `${" ".repeat(30_000)}reader-${n}@plain.example,Ada\n`,
    );
    const text = ["email,firstName\n", ...plain, "lech@far.example,Michał\n"].join("");
    const buffer = encoded("windows-1250", text);
    await page.locator("input[type=file]").setInputFiles({ ...file(""), buffer });
    await page.getByLabel("They agreed to marketing mail").check();
    const go = page.getByRole("button", { name: "Import 41 rows" });
    await go.click();
    await page.getByText("It cannot be told how the letters of this file are written.").waitFor();
    await page
      .getByLabel("How its letters are written")
      .selectOption({ label: "Central Europe (Windows-1250)" });
    // What was decided before stays decided.
    expect(await page.getByLabel("They agreed to marketing mail").isChecked()).toBe(true);
    await go.click();
    await page.getByText("41 rows read").waitFor();
    expect((await peopleOf(api))["lech@far.example"]).toMatchObject({ firstName: "Michał" });
    await visit.end([422]);
  });

  test("who left another tool is shown as that, and stays out as the console suggests it; a column may mean something else", async () => {
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/imports/new");
    const text =
      "email,opt_out,state,disabled\nin@left.example,no,active,yes\nout@left.example,yes,active,\ngone@left.example,no,cancelled,\n";
    await page.locator("input[type=file]").setInputFiles(file(text));
    const chosen = (header: string) => page.getByLabel(`What ${header} becomes`);
    const option = chosen("opt_out").locator("option:checked");
    await chosen("opt_out").waitFor();
    expect(await option.textContent()).toBe("Who unsubscribed");
    expect(await chosen("state").inputValue()).toBe("subscribed");
    await chosen("disabled").selectOption({ label: "Attribute: disabled" });
    await page.getByText("stays out, whatever you choose here").waitFor();
    await page.getByLabel("They agreed to marketing mail").check();
    await page.getByRole("button", { name: "Import 3 rows" }).click();
    await page.getByText("3 rows read").waitFor();
    await page.getByText("Done").waitFor();
    const all = await peopleOf(api);
    const statuses = ["in", "out", "gone"].map((name) => all[`${name}@left.example`].status);
    expect(statuses).toEqual(["SUBSCRIBED", "UNSUBSCRIBED", "UNSUBSCRIBED"]);
    await visit.end();
  });

  test("a file that is no table says what to do", async () => {
    const visit = await visitAs(api, "editor");
    const { page } = visit;
    await visit.open("/imports/new");
    await page.locator("input[type=file]").setInputFiles(file("PK\u0003\u0004\u0014", "people.xlsx"));
    await page.getByRole("alert").getByText("save the sheet as CSV").waitFor();
    await visit.end([422]);
  });

  test("a file that is none says so; a viewer is told whom to ask", async () => {
    const visit = await visitAs(api, "editor");
    const { page } = visit;
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
