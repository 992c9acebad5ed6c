/** The time zone of the machine: nothing that Postrider writes may depend on it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startPostrider, temporaryDirectory, type RunningServer } from "../../support/server/postrider.ts";

const home = temporaryDirectory();
let server: RunningServer;
let key = "";
beforeAll(async () => {
  server = await startPostrider(home.path, [], { TZ: "America/New_York" });
  key = /pr_[A-Za-z0-9_-]{43}/.exec(server.out())?.[0] ?? "";
}, 60_000);
afterAll(async () => {
  await server.end("SIGTERM");
  home.remove();
});

async function call(path: string, body: object): Promise<any> {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  return await answer.json();
}

/** How a letter writes a date. @param more variables: with many, the letter is made in a thread */
async function written(date: string, more: object, zone = ""): Promise<string> {
  const body = `<p>{{ at | date: "%Y-%m-%d %H:%M"${zone === "" ? "" : `, "${zone}"`} }}</p>`;
  const { id } = (await call("/templates", { name: "Dates", subject: "Dates", body })).data;
  const { html } = (await call(`/templates/${id}/render`, { variables: { at: date, ...more } })).data;
  return /<p>(.*)<\/p>/.exec(html)?.[1] ?? html;
}

describe.each([
  ["on the main thread", {}],
  ["in a thread for long letters", { long: "x".repeat(20_000) }],
])("a date in a letter that is made %s", (_, more) => {
  test.each([
    ["2026-12-24T18:00", "2026-12-24 18:00"],
    ["2026-12-24 18:00:00", "2026-12-24 18:00"],
    ["2026-12-24", "2026-12-24 00:00"],
    ["December 24, 2026", "2026-12-24 00:00"],
    // The clocks of the machine are changed in this night and in that one.
    ["2026-03-08T03:30:00Z", "2026-03-08 03:30"],
    ["2026-11-01T02:30:00Z", "2026-11-01 02:30"],
  ])("%s is in UTC", async (date, text) => {
    expect(await written(date, more)).toBe(text);
  });

  test("is in the zone that it names", async () => {
    expect(await written("2026-12-24T18:00", more, "Europe/Berlin")).toBe("2026-12-24 19:00");
    expect(await written("2026-03-08T03:30:00Z", more, "Asia/Kolkata")).toBe("2026-03-08 09:00");
  });
});
