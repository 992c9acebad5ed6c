/** A file that is changed after it was chosen: browsers no longer read it, and that is what is said. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileChanged, withFile } from "#console/ui/api/chosen-file.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, startConsole, visitAs } from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
let made = 0;
const home = mkdtempSync(join(tmpdir(), "postrider-chosen-"));
closesBrowser();
afterAll(() => rmSync(home, { recursive: true }));

/** Writes the file, each time at another minute: by its time and size the browser knows that it is another one. */
function write(name: string, content: string | Uint8Array): string {
  const path = join(home, name);
  writeFileSync(path, content);
  const at = 1_700_000_000 + ++made * 60;
  utimesSync(path, at, at);
  return path;
}

describe.skipIf(lacksBrowser())("a file that was changed since it was chosen", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test("is asked for again, by an import and by the rows of it that failed", async () => {
    const { page, open, end } = await visitAs(api, "editor");
    const input = page.locator("input[type=file]");
    const says = page
      .getByRole("alert")
      .getByText("The file was changed since it was chosen. Choose it again.");
    const agree = () => page.getByLabel("They agreed to marketing mail").check();
    await open("/imports/new");
    await input.setInputFiles(write("people.csv", "email\nada@example.com\nbroken\n"));
    await agree();
    await page.getByRole("cell", { name: "ada@example.com", exact: true }).waitFor();
    const path = write("people.csv", "email\nada@example.com\ngrace@example.com\nbroken\n");
    await page.getByRole("button", { name: "Import 2 rows" }).click();
    await says.waitFor();
    expect((await api.call("GET", "/imports")).body.data).toEqual([]);

    await input.setInputFiles(path);
    await says.waitFor({ state: "detached" });
    await agree();
    await page.getByRole("button", { name: "Import 3 rows" }).click();
    await page.getByText("Done", { exact: true }).waitFor();
    write("people.csv", "email\nada@example.com\n");
    await page.getByRole("button", { name: "Download these rows" }).click();
    await says.waitFor();
    await page.getByRole("button", { name: "Choose the file again to get its rows" }).waitFor();
    await end();
  });
});

describe("work with a chosen file", () => {
  const chosen = () => write("chosen.bin", "abc");
  const failing = new Error("no network");

  test("is not begun if the file cannot be read", async () => {
    const path = chosen();
    const file = Bun.file(path);
    rmSync(path);
    let isBegun = false;
    const work = async () => void (isBegun = true);
    expect(await withFile(file, work).catch((error: unknown) => error)).toBeInstanceOf(FileChanged);
    expect(isBegun).toBe(false);
  });

  test("fails as it failed, unless the file was lost under it", async () => {
    const path = chosen();
    const fails = () => Promise.reject(failing);
    expect(await withFile(Bun.file(path), fails).catch((error: unknown) => error)).toBe(failing);
    const loses = () => {
      rmSync(path);
      return fails();
    };
    expect(await withFile(Bun.file(path), loses).catch((error: unknown) => error)).toBeInstanceOf(
      FileChanged,
    );
    expect(await withFile(Bun.file(chosen()), async () => "done")).toBe("done");
  });
});
