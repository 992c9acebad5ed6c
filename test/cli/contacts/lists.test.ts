import { afterAll, beforeAll, expect, test } from "bun:test";
import { postrider, temporaryDirectory } from "../../support/server/postrider.ts";

const home = temporaryDirectory();
beforeAll(async () => {
  await postrider(home.path, ["workspace", "create", "--name", "Ada's"]);
});
afterAll(() => home.remove());

async function json(...args: string[]): Promise<any> {
  const ended = await postrider(home.path, [...args, "--json"]);
  expect(ended).toMatchObject({ code: 0, err: "" });
  return JSON.parse(ended.out);
}

test.each([
  ["suppression list", "No suppressed addresses."],
  ["blocked-domain list", "No domains are blocked."],
  ["scoring list", "There are no scoring rules."],
  ["segment list", "There are no segments."],
  ["automation list", "There are no automations."],
  ["consent list", "Nobody has agreed or withdrawn yet."],
])("%s: an empty list says that it is", async (line, says) => {
  const args = line.split(" ");
  expect(await postrider(home.path, args)).toEqual({ code: 0, out: `${says}\n`, err: "" });
  expect(await json(...args)).toEqual([]);
});

test("what strangers named is shown, never acted on: in tables, in messages and in JSON", async () => {
  const name = "a\u202ecod.exe\u2066";
  const created = await json("key", "create", "--name", name);
  expect(created.name).toBe(name);
  const marks = /[\u202e\u2066]/;
  for (const args of [
    ["key", "list"],
    ["key", "list", "--json"],
    ["key", "create", "--name", name],
  ]) {
    const { code, out } = await postrider(home.path, args);
    expect([code, out]).toEqual([0, expect.stringContaining("a\\u202ecod.exe\\u2066")]);
    expect(out).not.toMatch(marks);
  }
  const unknown = await postrider(home.path, ["key", "revoke", name]);
  expect(unknown.code).toBe(1);
  expect(unknown.err).toContain("a\\u202ecod.exe");
  expect(unknown.err).not.toMatch(marks);
});
