import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listOf, person } from "../../support/people/people.ts";
import { startReaders, type ReadersApi } from "../../support/people/readers.ts";

const SCANNER = { headers: { "User-Agent": "Barracuda Sentinel (EE)" } };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let api: ReadersApi;
beforeAll(async () => {
  api = await startReaders();
});
afterAll(() => api.stop());

const pageAt = async (path: string, body?: unknown, key?: string): Promise<any[]> =>
  (await api.call(body === undefined ? "GET" : "POST", path, body, key)).body.data;

/** Who opened what, by the address before the `@`. */
const opensOf = async (q: string): Promise<Record<string, string | null>> =>
  Object.fromEntries(
    (await pageAt(`/contacts?limit=100&include=lastOpenedAt&q=${q}`)).map(({ email, lastOpenedAt }) => [
      email.split("@")[0],
      lastOpenedAt,
    ]),
  );

/** Whom the condition of segments finds. */
const foundBy = async (rules: object): Promise<string[]> =>
  (await pageAt("/contacts/search?limit=100", { rules }))
    .map(({ email }) => email.split("@")[0] ?? "")
    .toSorted((a, b) => a.localeCompare(b));

const OPENED = { field: "opened", op: "equals", value: "any" };

describe("`lastOpenedAt` of a contact", () => {
  test("is when a person opened a campaign; a machine's open and a click are none", async () => {
    const names = ["reads", "scanned", "clicks", "quiet"];
    const { letters, campaignId } = await api.mailTo(names.map((name) => `${name}@one.example`));
    const before = Date.now();
    await api.visit(letters[0]!.pixel);
    await api.visit(letters[1]!.pixel, SCANNER);
    await api.visit(letters[2]!.links[0]!);
    expect(await api.countsOf(campaignId)).toMatchObject({ opened: 1, clicked: 1 });
    const { reads, ...others } = await opensOf("@one.example");
    expect(reads).toMatch(ISO);
    expect(Date.parse(reads!)).toBeGreaterThanOrEqual(before);
    expect(others).toEqual({ scanned: null, clicks: null, quiet: null });
    expect(await foundBy(OPENED)).toEqual(["reads"]);
  });

  test("is the newest of several, and stays when the campaign is deleted, as in the condition of segments", async () => {
    const first = await api.mailTo(["ada@two.example"]);
    const second = await api.mailTo(["ada@two.example"]);
    await api.visit(second.letters[0]!.pixel);
    await api.countsOf(second.campaignId);
    const earlier = (await opensOf("@two.example"))["ada"]!;
    const now = Date.now();
    while (Date.now() === now) await Bun.sleep(1);
    await api.visit(second.letters[0]!.pixel);
    await api.countsOf(second.campaignId);
    expect(await opensOf("@two.example")).toEqual({ ada: earlier });
    await api.visit(first.letters[0]!.pixel);
    await api.countsOf(first.campaignId);
    const latest = (await opensOf("@two.example"))["ada"]!;
    expect(latest > earlier).toBe(true);
    for (const { campaignId } of [first, second])
      expect((await api.call("DELETE", `/campaigns/${campaignId}`)).status).toBe(204);
    expect(await opensOf("@two.example")).toEqual({ ada: latest });
    expect(await foundBy({ all: [OPENED, { field: "domain", op: "equals", value: "two.example" }] })).toEqual(
      ["ada"],
    );
  });

  test("is on every page of contacts, alone or with the attributes; without `include` no answer changes", async () => {
    const { letters, campaignId, listId } = await api.mailTo(["eve@three.example"]);
    await api.visit(letters[0]!.pixel);
    await api.countsOf(campaignId);
    const rules = { field: "domain", op: "equals", value: "three.example" };
    const segment = (await api.call("POST", "/segments", { name: "Three", rules })).body.data.id;
    for (const [path, body] of [
      ["/contacts?q=@three.example"],
      [`/lists/${listId}/contacts?limit=9`],
      [`/segments/${segment}/contacts?limit=9`],
      ["/contacts/search?limit=9", { rules }],
    ] as const) {
      const [plain] = await pageAt(path, body);
      expect(Object.keys(plain)).not.toContain("lastOpenedAt");
      const lastOpenedAt = expect.stringMatching(ISO);
      expect(await pageAt(`${path}&include=lastOpenedAt`, body)).toEqual([{ ...plain, lastOpenedAt }]);
      for (const both of ["attributes,lastOpenedAt", "lastOpenedAt,attributes"])
        expect(await pageAt(`${path}&include=${both}`, body)).toEqual([
          { ...plain, attributes: {}, lastOpenedAt },
        ]);
    }
  });

  test("belongs to its workspace: the same address in another one has opened nothing", async () => {
    const { letters, campaignId } = await api.mailTo(["twice@four.example"]);
    await api.visit(letters[0]!.pixel);
    await api.countsOf(campaignId);
    const { key } = await api.services.workspaces.create("Neighbours");
    await api.call("POST", "/contacts", { email: "twice@four.example" }, key);
    expect(await pageAt("/contacts?include=lastOpenedAt", undefined, key)).toMatchObject([
      { email: "twice@four.example", lastOpenedAt: null },
    ]);
    expect((await opensOf("@four.example"))["twice"]).toMatch(ISO);
  });

  test("is asked for by its name: another is a 422 that says what there is, and one contact has no such field", async () => {
    const { id } = await person(api, "one@five.example");
    const listId = await listOf(api, "Five", [id]);
    for (const [path, names] of [
      ["/contacts?include=lastopenedat", "`attributes` or `lastOpenedAt`"],
      ["/contacts?include=lastOpenedAt,", "`attributes` or `lastOpenedAt`"],
      ["/contacts?include=lastOpenedAt,lastOpenedAt", "`attributes` or `lastOpenedAt`"],
      [`/lists/${listId}/contacts?include=score`, "`attributes` or `lastOpenedAt`"],
      [`/contacts/${id}?include=lastOpenedAt`, "`attributes`"],
    ] as const) {
      const { status, body } = await api.call("GET", path);
      expect([path, status, body.error.code]).toEqual([path, 422, "VALIDATION_ERROR"]);
      expect(body.error.message).toContain(`\`include\` takes ${names}, not`);
    }
  });
});
