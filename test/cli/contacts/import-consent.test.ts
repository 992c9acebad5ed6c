import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { startImportCommand, type ImportCommand } from "../../support/server/import-command.ts";

let command: ImportCommand;
beforeAll(async () => {
  command = await startImportCommand();
});
beforeEach(() => command.inNewWorkspace());
afterAll(() => command.stop());

const importing: ImportCommand["importing"] = (...given) => command.importing(...given);
const api: ImportCommand["api"] = (...asked) => command.api(...asked);
const people: ImportCommand["people"] = (path) => command.people(path);

describe("the consent rules of POST hold row by row", () => {
  test("who opted out, bounced or is suppressed stays so, joins no list and counts as skipped", async () => {
    const ada = await api("POST", "/contacts", { email: "ada@example.com", firstName: "Ada", tags: ["old"] });
    const grace = await api("POST", "/contacts", { email: "grace@example.com" });
    const linus = await api("POST", "/contacts", { email: "linus@example.com" });
    await api("PATCH", `/contacts/${grace.id}`, { status: "UNSUBSCRIBED" });
    await api("PATCH", `/contacts/${linus.id}`, { status: "BOUNCED" });
    await command.run(["suppression", "add", "barbara@example.com"]);
    const list = await api("POST", "/lists", { name: "Newsletter" });
    const rows = ["ada", "grace", "linus", "barbara", "donald"].map((name) => `${name}@example.com,`);
    const { result } = await importing(
      ["email,firstName", ...rows].join("\n"),
      "--status",
      "SUBSCRIBED",
      "--list",
      list.id,
    );
    expect(result).toEqual({ created: 1, updated: 1, skipped: 3, errors: [] });
    expect(await people()).toEqual([
      ["ada@example.com", ada.firstName, "", "old", "SUBSCRIBED"],
      ["grace@example.com", "", "", "", "UNSUBSCRIBED"],
      ["linus@example.com", "", "", "", "BOUNCED"],
      ["barbara@example.com", "", "", "", "UNSUBSCRIBED"],
      ["donald@example.com", "", "", "", "SUBSCRIBED"],
    ]);
    expect((await people(`/lists/${list.id}/contacts`)).map(([email]) => email)).toEqual([
      "ada@example.com",
      "donald@example.com",
    ]);
  });

  test("a row that opts out suppresses the address and takes it off every list", async () => {
    const ada = await api("POST", "/contacts", { email: "ada@example.com" });
    const list = await api("POST", "/lists", { name: "Newsletter" });
    await api("POST", `/lists/${list.id}/contacts`, { contactId: ada.id });
    const { result } = await importing(
      "email,status\nada@example.com,UNSUBSCRIBED\ngrace@example.com,bounced\n",
      "--list",
      list.id,
    );
    expect(result).toEqual({ created: 1, updated: 1, skipped: 0, errors: [] });
    const { out } = await command.run(["suppression", "list", "--json"]);
    expect(JSON.parse(out).map((entry: any) => [entry.email, entry.reason])).toEqual([
      ["ada@example.com", "UNSUBSCRIBED"],
      ["grace@example.com", "HARD_BOUNCE"],
    ]);
    expect(await people(`/lists/${list.id}/contacts`)).toEqual([]);
  });

  test("tags replace, an empty cell empties them; the same address twice is one contact", async () => {
    await api("POST", "/contacts", { email: "ada@example.com", firstName: "Ada", tags: ["old"] });
    const text =
      "email,tags\nada@example.com,new\nADA@example.com,\ngrace@example.com,a;b\ngrace@example.com,c\n";
    const { result } = await importing(text, "--status", "PENDING");
    expect(result).toEqual({ created: 1, updated: 3, skipped: 0, errors: [] });
    expect(await people()).toEqual([
      ["ada@example.com", "Ada", "", "", "SUBSCRIBED"],
      ["grace@example.com", "", "", "c", "PENDING"],
    ]);
  });
});

test("a list of another workspace is unknown, and nobody is imported", async () => {
  const { code, err } = await importing(
    "email\nada@example.com\n",
    "--status",
    "PENDING",
    "--list",
    "list_elsewhere",
  );
  expect([code, err.includes("list_elsewhere")]).toEqual([1, true]);
  expect(await people()).toEqual([]);
});
