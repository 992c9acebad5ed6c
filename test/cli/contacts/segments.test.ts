import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { listOf, person } from "../../support/people/people.ts";
import { postrider } from "../../support/server/postrider.ts";

let api: TestApi;
let segment: any;
beforeAll(async () => {
  api = await startApi();
  const ada = await person(api, "ada@example.com", { tags: ["vip"] });
  await person(api, "grace@example.com", { tags: ["vip"], status: "PENDING" });
  const list = await listOf(api, "News", [ada.id]);
  const rules = {
    any: [
      { field: "tag", op: "equals", value: "vip" },
      { field: "list", op: "equals", value: list },
    ],
  };
  segment = (await api.call("POST", "/segments", { name: "Readers", rules })).body.data;
});
afterAll(() => api.stop());

const run = (...args: string[]) => postrider(api.dataDir, args);
const json = async (...args: string[]): Promise<any> => JSON.parse((await run(...args, "--json")).out);

describe("beside a running server", () => {
  test("segment list shows what there is", async () => {
    expect(await json("segment", "list")).toEqual([segment]);
    expect((await run("segment", "list")).out).toContain(`${segment.id}  ${segment.updatedAt}  Readers`);
  });

  test("segment show says who is in it, in words", async () => {
    const sentence = 'Everybody who has the tag "vip" or is on the list "News".';
    expect((await run("segment", "show", segment.id)).out).toBe(`Readers\n${sentence}\n`);
    expect(await json("segment", "show", segment.id)).toEqual({ ...segment, sentence });
  });

  test("segment count asks now", async () => {
    expect(await json("segment", "count", segment.id)).toEqual({ total: 2, subscribed: 1 });
    expect((await run("segment", "count", segment.id)).out).toBe("contacts    2\nsubscribed  1\n");
  });

  test("what is not there is one line and exit code 1", async () => {
    for (const command of ["show", "count"]) {
      const { code, out, err } = await run("segment", command, "missing");
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(/^.*segment missing.*\n$/);
    }
  });
});
