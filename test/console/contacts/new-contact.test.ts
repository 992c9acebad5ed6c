/** People who are added by hand. */
import { describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { axeProblems, closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import { person } from "../../support/people/people.ts";

closesBrowser();

describe.skipIf(lacksBrowser())("a contact that is added by hand", () => {
  test("people are added one after the other, and are on the only list that there is", async () => {
    const fresh = await startConsole();
    const { body } = await fresh.call("POST", "/lists", { name: "Readers" });
    const visit = await visitAs(fresh, "editor");
    const { page } = visit;
    await visit.open("/contacts");
    await page.getByRole("button", { name: "Add a contact" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByLabel("List")
      .locator("option:checked", { hasText: "Readers" })
      .waitFor({ state: "attached" });
    for (const email of ["ada@example.com", "grace@example.com"]) {
      await dialog.getByLabel("Email address").fill(email);
      await dialog.getByRole("button", { name: "Add, then another" }).click();
      await dialog.getByText(`${email} was added`).waitFor();
      expect(await dialog.getByLabel("Email address").inputValue()).toBe("");
    }
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByLabel("First name").fill("Linus");
    await page.mouse.click(5, 5);
    expect(await dialog.getByLabel("First name").inputValue()).toBe("Linus");
    const left = page.waitForEvent("dialog");
    await page.evaluate("void setTimeout(() => location.reload())");
    const question = await left;
    expect(question.type()).toBe("beforeunload");
    await question.dismiss();
    // Whether the browser would open a file that is dropped beside the dialog, in the place of the page.
    const isRefused = await page.evaluate(`
      (() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["x"], "people.csv"));
        return ["dragover", "drop"].map((type) => {
          const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
          return !document.querySelector("main").dispatchEvent(event);
        });
      })()`);
    expect(isRefused).toEqual([true, true]);
    await dialog.getByLabel("List").selectOption({ label: "On no list" });
    await dialog.getByLabel("Email address").fill("linus@example.com");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "linus@example.com", level: 1 }).waitFor();
    const found = await fresh.call("GET", `/lists/${body.data.id}/contacts`);
    expect(found.body.data.map(({ email }: { email: string }) => email).toSorted()).toEqual([
      "ada@example.com",
      "grace@example.com",
    ]);
    await visit.end();
    await fresh.stop();
  });

  test("somebody who is there already is not added once more: their tags and consent stay", async () => {
    const fresh = await startConsole();
    await fresh.call("POST", "/lists", { name: "Readers" });
    const ada = await person(fresh, "ada@xn--bcher-kva.example", { status: "PENDING", tags: ["vip"] });
    const visit = await visitAs(fresh, "editor");
    const { page } = visit;
    await visit.open("/contacts");
    await page.getByRole("button", { name: "Add a contact" }).first().click();
    const dialog = page.getByRole("dialog");
    for (const label of ["Readers", "On no list"]) {
      await dialog.getByLabel("List").selectOption({ label });
      await dialog.getByLabel("Email address").fill("Ada@bücher.example");
      const looked = page.waitForResponse(/contacts\/search/);
      await dialog.getByRole("button", { name: "Add, then another" }).click();
      await looked;
      await dialog.getByText("is a contact already").waitFor();
    }
    const now = (await fresh.call("GET", `/contacts/${ada.id}`)).body.data;
    expect([now.tags, now.status]).toEqual([["vip"], "PENDING"]);
    expect(await axeProblems(page)).toEqual([]);
    await dialog.getByRole("link", { name: "Open ada@" }).click();
    await page.getByRole("heading", { name: ada.email, level: 1 }).waitFor();
    await visit.end();
    await fresh.stop();
  });
});
