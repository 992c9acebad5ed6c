import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { systemClock } from "#core/time/clock.ts";
import { systemRandom } from "#core/random.ts";
import { SILENT_LOG } from "../../support/common/silent-log.ts";
import { postrider, temporaryDirectory } from "../../support/server/postrider.ts";
import { newPlace, openTestServices } from "../../support/server/services.ts";
import { fillWithContacts } from "../../support/storage/many-contacts.ts";

const home = temporaryDirectory();
const world = { clock: systemClock, random: systemRandom, log: SILENT_LOG };
let workspace = "";
let listId = "";
let segmentId = "";

beforeAll(async () => {
  const services = await openTestServices(await newPlace(home.path), home.path, world);
  workspace = (await services.workspaces.create("Ada's")).id;
  const origin = { source: "admin", formId: null, clientAddress: null, userAgent: null } as const;
  const people = [
    ["ada@example.com", "Ada", 'Lovelace, "Countess"', ["early", "press"], "SUBSCRIBED"],
    ["+grace@example.com", "=1+1", "-Hopper", ["=cmd|' /C calc'!A0", "early"], "SUBSCRIBED"],
    ["linus@example.com", "@Linus", "O'Brien", [], "UNSUBSCRIBED"],
    ["emile@bucher.example", "Émile", "’", ["press"], "PENDING"],
  ] as const;
  const ids: string[] = [];
  for (const [email, firstName, lastName, tags, status] of people) {
    const input = { email, firstName, lastName, tags, status, consent: undefined, attributes: undefined };
    ids.push((await services.contacts.upsert(workspace, input, origin)).contact.id);
  }
  listId = (await services.lists.create(workspace, { name: "Readers" })).id;
  await services.lists.addContacts(workspace, listId, ids.slice(0, 2));
  const rules = { field: "tag", op: "equals", value: "press" };
  segmentId = (await services.segments.create(workspace, { name: "Press", rules, references: [] })).id;
  await services.close();
});
afterAll(() => home.remove());

const exported = async (...args: string[]) => {
  const ended = await postrider(home.path, ["export", "contacts", "--workspace", workspace, ...args]);
  const [header, ...rows] = ended.out.split("\r\n").slice(0, -1);
  return { ...ended, header, rows };
};

const addressesOf = async (...args: string[]): Promise<string[]> =>
  JSON.parse((await exported("--json", ...args)).out)
    .map(({ email }: { email: string }) => email)
    .toReversed();

describe("an export", () => {
  test("is CSV with every cell quoted, newest first, and runs nothing in a spreadsheet", async () => {
    const { code, err, header, rows } = await exported();
    expect([code, err, rows.length]).toEqual([0, "", 4]);
    expect(header).toBe("email,firstName,lastName,tags,status,createdAt");
    expect(rows[3]).toMatch(
      /^"ada@example.com","Ada","Lovelace, ""Countess""","early;press","SUBSCRIBED","\d{4}-\d\d-\d\dT[\d:.]+Z"$/,
    );
    expect(rows[2]).toStartWith(
      `"'+grace@example.com","'=1+1","'-Hopper","'=cmd|' /C calc'!A0;early","SUBSCRIBED","`,
    );
    expect(rows[1]).toStartWith(`"linus@example.com","'@Linus","O'Brien","","UNSUBSCRIBED","`);
    for (const row of rows) expect(row).not.toMatch(/"[=+\-@\t]|;[=+\-@\t]/);
  });

  test("has those of a status, a tag, a list and a segment, together", async () => {
    const all = ["ada@example.com", "+grace@example.com", "linus@example.com", "emile@bucher.example"];
    expect(await addressesOf()).toEqual(all);
    expect(await addressesOf("--status", "PENDING")).toEqual([all[3]!]);
    expect(await addressesOf("--tag", "press")).toEqual([all[0]!, all[3]!]);
    expect(await addressesOf("--list", listId)).toEqual([all[0]!, all[1]!]);
    expect(await addressesOf("--list", listId, "--tag", "press")).toEqual([all[0]!]);
    expect(await addressesOf("--list", listId, "--status", "UNSUBSCRIBED")).toEqual([]);
    expect(await addressesOf("--segment", segmentId)).toEqual([all[0]!, all[3]!]);
    expect(await addressesOf("--segment", segmentId, "--list", listId)).toEqual([all[0]!]);
  });

  test("says with --suppressed who is never mailed, as the last column", async () => {
    const add = ["suppression", "add", "ada@example.com", "--reason", "COMPLAINT", "--workspace", workspace];
    expect((await postrider(home.path, add)).code).toBe(0);
    const { header, rows } = await exported("--suppressed");
    expect(header).toEndWith("createdAt,suppressed");
    expect(rows.map((row) => row.split(",").at(-1))).toEqual(['""', '"UNSUBSCRIBED"', '""', '"COMPLAINT"']);
    const people = JSON.parse((await exported("--suppressed", "--json")).out);
    expect(people.map((one: { suppressed?: string }) => one.suppressed)).toEqual([
      undefined,
      "UNSUBSCRIBED",
      undefined,
      "COMPLAINT",
    ]);
    const remove = ["suppression", "remove", "ada@example.com", "--workspace", workspace];
    expect((await postrider(home.path, remove)).code).toBe(0);
  });

  test("refuses what it does not know, and writes nothing then", async () => {
    expect(await exported("--status", "GONE")).toMatchObject({ code: 2, out: "" });
    expect(await exported("--list", "list_none", "--output", `${home.path}/none.csv`)).toMatchObject({
      code: 1,
      out: "",
    });
    expect(() => statSync(`${home.path}/none.csv`)).toThrow();
    expect(() => statSync(`${home.path}/none.csv.part`)).toThrow();
  });

  test("that cannot write its file says why, and the audit log knows of none", async () => {
    const exports = async (): Promise<number> => {
      const { out } = await postrider(home.path, ["audit", "list", "--workspace", workspace, "--json"]);
      return JSON.parse(out).filter(({ what }: { what: string }) => what === "contacts_exported").length;
    };
    const before = await exports();
    const taken = `${home.path}/taken.csv`;
    writeFileSync(taken, "precious");
    const refusals = [
      [`${home.path}/nope/people.csv`, 1, `there is no directory ${home.path}/nope`],
      [`${taken}/people.csv`, 1, `there is no directory ${taken}`],
      [taken, 1, `${taken} is there already: name a new file, or take that one away`],
      ["", 2, "--output is empty: name a file, or leave it out"],
    ] as const;
    for (const [file, code, says] of refusals)
      expect(await exported("--output", file)).toMatchObject({ code, out: "", err: `postrider: ${says}\n` });
    expect([await exports(), readFileSync(taken, "utf8")]).toEqual([before, "precious"]);
    expect((await exported("--output", `${home.path}/told.csv`)).code).toBe(0);
    expect(await exports()).toBe(before + 1);
  });

  test.each(["status", "tag", "list", "segment"])(
    "of an empty --%s is nobody's: it was not everybody that was meant",
    async (flag) => {
      const { code, out, err } = await exported(`--${flag}`, "");
      expect([code, out]).toEqual([2, ""]);
      expect(err).toBe(`postrider: --${flag} is empty: give it a value, or leave it out\n`);
    },
  );

  test("comes back by an import as what it was", async () => {
    const file = `${home.path}/people.csv`;
    const ended = await exported("--output", file);
    expect(ended).toMatchObject({ code: 0, out: "", err: `postrider: 4 contacts in ${file}\n` });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await exported("--output", file)).code).toBe(1);

    const second = JSON.parse(
      (await postrider(home.path, ["workspace", "create", "--name", "B", "--json"])).out,
    ).id;
    const imported = await postrider(home.path, [
      "import",
      "contacts",
      file,
      "--workspace",
      second,
      "--json",
    ]);
    expect(JSON.parse(imported.out)).toMatchObject({ created: 4, errors: [] });
    const withoutTime = (csv: string) =>
      csv
        .split("\r\n")
        .map((row) => row.replace(/,"[^"]*"$/, ""))
        .toSorted();
    const again = await postrider(home.path, ["export", "contacts", "--workspace", second]);
    expect(withoutTime(again.out)).toEqual(withoutTime(readFileSync(file, "utf8")));
  });

  test("of many is complete and in order", async () => {
    const many = temporaryDirectory();
    await fillWithContacts(many.path, world, { count: 20_000, lastName: "" });
    const { code, out } = await postrider(many.path, ["export", "contacts"]);
    many.remove();
    const addresses = out
      .split("\r\n")
      .slice(1, -1)
      .map((row) => row.split(",", 1)[0]);
    expect([code, addresses.length]).toEqual([0, 20_000]);
    expect(addresses.every((address, i) => address === `"reader-${20_000 - i}@example.com"`)).toBe(true);
  });
});

test("an import takes a formula's guard off, and leaves other quotes", async () => {
  const file = `${home.path}/guarded.csv`;
  writeFileSync(
    file,
    "email,firstName,status\n'+linus@example.org,'=Linus,SUBSCRIBED\no'brien@example.org,'Ada',SUBSCRIBED\n",
  );
  const made = JSON.parse(
    (await postrider(home.path, ["workspace", "create", "--name", "C", "--json"])).out,
  ).id;
  await postrider(home.path, ["import", "contacts", file, "--workspace", made]);
  const { out } = await postrider(home.path, ["export", "contacts", "--workspace", made, "--json"]);
  expect(JSON.parse(out).map(({ email, firstName }: any) => [email, firstName])).toEqual([
    ["o'brien@example.org", "'Ada'"],
    ["+linus@example.org", "=Linus"],
  ]);
});
