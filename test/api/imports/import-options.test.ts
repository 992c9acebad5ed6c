/** docs/contract.md "Many at once": files that are imported. */
import { describe, expect, test } from "bun:test";
import { encoded } from "../../support/people/encoded.ts";
import { errorsOf, imported, peopleOf, upload } from "../../support/people/imports.ts";
import { consentLog, listOf, person, suppressions } from "../../support/people/people.ts";
import { api, hasOwnWorkspaces, inOwn } from "../../support/people/own-workspaces.ts";

hasOwnWorkspaces();

const people = (path?: string) => peopleOf(inOwn, path);

describe("the options of an import", () => {
  test("mapping, lists, tags, whole names and attributes", async () => {
    const [one, two] = [await listOf(inOwn, "One"), await listOf(inOwn, "Two")];
    const file =
      "E-Mail;Whole name;Labels;City;Since;Notes;lastName\n" +
      "ada@example.com;Ada King;a;London;2020-02-03;secret;\n" +
      'grace@example.com;Grace Brewster Murray Hopper;"b;c";;;secret;Hopper\n';
    const mapping = {
      "E-Mail": "email",
      "Whole name": "name",
      Labels: "tags",
      City: "attributes.town",
      Since: "consentAt",
      Notes: null,
    };
    const options = { mapping, listIds: [one, two], status: "SUBSCRIBED", unknownColumns: "attributes" };
    expect(await imported(inOwn, file, options)).toMatchObject({ state: "DONE", created: 2, failed: 0 });
    const { "ada@example.com": ada, "grace@example.com": grace } = await people();
    expect(ada).toMatchObject({
      firstName: "Ada",
      lastName: "King",
      tags: ["a"],
      attributes: { town: "London" },
    });
    expect(grace).toMatchObject({ firstName: "Grace", lastName: "Hopper", tags: ["b", "c"], attributes: {} });
    for (const list of [one, two])
      expect(Object.keys(await people(`/lists/${list}/contacts`))).toHaveLength(2);
    const log = await Array.fromAsync(api.services.contacts.consentLog(inOwn.workspaceId));
    expect(log.map(({ email, action, source, at }) => [email, action, source, at])).toEqual([
      ["ada@example.com", "GIVEN", "import", Date.UTC(2020, 1, 3)],
    ]);
  });

  test("encoding: a file in another one is refused until it is named, and then read as that", async () => {
    const file = encoded(
      "windows-1250",
      "email,firstName\nlech@example.com,Michał\nola@example.com,Małgorzata\n",
    );
    const refused = await upload(inOwn, "/imports", file, { status: "PENDING" });
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      "`encoding`: the file has one that cannot be recognized. Name it (--encoding), such as windows-1250, or save the file as CSV in UTF-8.",
    ]);
    const shown = await upload(inOwn, "/imports/preview", file, { encoding: "cp1250" });
    expect(shown.body.data).toMatchObject({
      encoding: "windows-1250",
      columns: [{}, { samples: ["Michał", "Małgorzata"] }],
    });
    const done = await imported(inOwn, file, { status: "PENDING", encoding: "cp1250" });
    expect(done).toMatchObject({ state: "DONE", created: 2, failed: 0 });
    expect((await people())["lech@example.com"]).toMatchObject({ firstName: "Michał" });
    const unknown = await upload(inOwn, "/imports", file, { status: "PENDING", encoding: "ebcdic" });
    expect([unknown.status, unknown.body.error.message]).toEqual([
      422,
      expect.stringContaining("`encoding` must be one of utf-8, "),
    ]);
  });

  test("delimiter: the one that is given counts, whatever the file looks like", async () => {
    const file = "email;a,b,c\nada@example.com;x,y,z\n";
    const given = { status: "PENDING", unknownColumns: "attributes" };
    await imported(inOwn, file, { ...given, delimiter: ";" });
    expect((await people())["ada@example.com"].attributes).toEqual({ a_b_c: "x,y,z" });
    const refused = await upload(inOwn, "/imports", file, { ...given, delimiter: "," });
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      expect.stringContaining("no column email"),
    ]);
  });

  test("unknown columns are left out, or become attributes under names that can be one", async () => {
    const file =
      "email,Favourite colour,2nd address,Größe,Favourite colour,日本,City\nada@example.com,green,x,L,blue,y,Rome\n";
    await imported(inOwn, file, { status: "PENDING" });
    expect((await people())["ada@example.com"].attributes).toEqual({});
    await imported(inOwn, file, { status: "PENDING", unknownColumns: "attributes" });
    expect((await people())["ada@example.com"].attributes).toEqual({
      favourite_colour: "green",
      a_2nd_address: "x",
      grosse: "L",
      favourite_colour_2: "blue",
      column_6: "y",
      City: "Rome",
    });
  });

  test("an attribute is merged; an empty cell leaves it, and one that goes too far fails its row alone", async () => {
    await person(inOwn, "ada@example.com", { attributes: { city: "London", age: 36 } });
    const file = `email,attributes.city,attributes.plan\nada@example.com,,pro\ngrace@example.com,${"x".repeat(1_001)},pro\n`;
    expect(await imported(inOwn, file, { status: "PENDING" })).toMatchObject({ updated: 1, failed: 1 });
    expect((await people())["ada@example.com"].attributes).toEqual({ city: "London", age: 36, plan: "pro" });
    expect(Object.keys(await people())).toEqual(["ada@example.com"]);
  });

  test("line breaks inside a cell are kept as LF, whatever ends the file's lines", async () => {
    const file = 'email,attributes.note\r\nada@example.com,"one\r\ntwo\rthree\nfour"\r\n';
    await imported(inOwn, file, { status: "SUBSCRIBED" });
    expect((await people())["ada@example.com"].attributes.note).toBe("one\ntwo\nthree\nfour");
  });

  test("more names of attributes than a workspace may have fail the rows that bring them", async () => {
    const names = Array.from({ length: 90 }, (_, i) => i);
    const rows = Array.from({ length: 6 }, (_, r) => {
      const attributes = Object.fromEntries(names.map((i) => [`n${r}_${i}`, "x"]));
      return `p${r}@example.com,P,enabled,"${JSON.stringify(attributes).replaceAll('"', '""')}"`;
    });
    const done = await imported(inOwn, ["email,name,status,attributes", ...rows].join("\n"));
    expect(done).toMatchObject({ created: 5, failed: 1 });
    expect(await errorsOf(inOwn, done.id)).toEqual([[7, expect.stringContaining("500")]]);
  });

  test("status: a row's own counts before the file's, and a word that is none is never guessed", async () => {
    const file =
      "email,status\na@example.com,pending\nb@example.com,\nc@example.com,OPTED_OUT\nd@example.com,unsubscribed\n";
    const done = await imported(inOwn, file, { status: "SUBSCRIBED" });
    expect(done).toMatchObject({ created: 3, failed: 1 });
    const statuses = Object.entries(await people()).map(([email, { status }]) => [email.slice(0, 1), status]);
    expect(Object.fromEntries(statuses)).toEqual({ a: "PENDING", b: "SUBSCRIBED", d: "UNSUBSCRIBED" });
    const without = await imported(inOwn, "email,status\ne@example.com,\n");
    expect(await errorsOf(inOwn, without.id)).toEqual([[2, expect.stringContaining("no status")]]);
  });

  test("existing = keep passes over whoever is known, who joins no list; a row that opts out still does", async () => {
    const list = await listOf(inOwn, "List");
    await person(inOwn, "known@example.com", { firstName: "Known", tags: ["mine"] });
    await person(inOwn, "leaves@example.com", { firstName: "Leaves", tags: ["mine"] });
    const file =
      "email,firstName,tags,status\nknown@example.com,New,new,SUBSCRIBED\nleaves@example.com,New,new,UNSUBSCRIBED\nfresh@example.com,New,new,SUBSCRIBED\nfresh@example.com,Again,,SUBSCRIBED\n";
    const done = await imported(inOwn, file, { existing: "keep", listIds: [list] });
    expect(done).toMatchObject({ created: 1, updated: 1, skipped: 2, failed: 0 });
    const all = await people();
    expect(all["known@example.com"]).toMatchObject({
      firstName: "Known",
      tags: ["mine"],
      status: "SUBSCRIBED",
    });
    expect(all["leaves@example.com"]).toMatchObject({
      firstName: "Leaves",
      tags: ["mine"],
      status: "UNSUBSCRIBED",
    });
    expect(all["fresh@example.com"]).toMatchObject({ firstName: "New" });
    expect(Object.keys(await people(`/lists/${list}/contacts`))).toEqual(["fresh@example.com"]);
  });

  test("an opt-out is never undone, whatever the file says, and a time of consent raises nobody", async () => {
    await person(inOwn, "gone@example.com", { consent: "declined" });
    await person(inOwn, "dead@example.com", { status: "BOUNCED" });
    await api.services.suppressions.add(inOwn.workspaceId, "blocked@example.com", "MANUAL", "admin");
    const file = [
      "email,status,consentAt",
      ...["gone", "dead", "blocked"].map((name) => `${name}@example.com,SUBSCRIBED,2026-01-01`),
    ].join("\n");
    for (const existing of ["update", "keep"])
      expect(await imported(inOwn, file, { existing })).toMatchObject({ failed: 0, skipped: 3 });
    const statuses = Object.values(await people()).map(({ email, status }) => [email.slice(0, 4), status]);
    expect(Object.fromEntries(statuses)).toEqual({
      gone: "UNSUBSCRIBED",
      dead: "BOUNCED",
      bloc: "UNSUBSCRIBED",
    });
    expect(await suppressions(inOwn, inOwn.workspaceId)).toMatchObject({
      "gone@example.com": "UNSUBSCRIBED",
      "blocked@example.com": "MANUAL",
    });
  });

  test("a time of consent that is none, or lies ahead, fails its row", async () => {
    const file =
      "email,consentAt\na@example.com,yesterday\nb@example.com,2999-01-01\nc@example.com,2026-01-02T03:04:05+02:00\n";
    expect(await imported(inOwn, file, { status: "SUBSCRIBED" })).toMatchObject({ created: 1, failed: 2 });
    expect(await consentLog(inOwn, inOwn.workspaceId)).toEqual(["GIVEN c@example.com import"]);
  });

  test("automations start only where the options say so", async () => {
    const automation = (await inOwn.call("POST", "/automations", {})).body.data.id;
    await inOwn.call("PATCH", `/automations/${automation}`, { status: "LIVE" });
    await imported(inOwn, "email\nquiet@example.com\n", { status: "SUBSCRIBED" });
    await imported(inOwn, "email\nloud@example.com\n", { status: "SUBSCRIBED", startAutomations: true });
    const loud = (await people())["loud@example.com"].id;
    let entered: any[] = [];
    while (entered.length === 0) {
      await new Promise((resolve_) => setTimeout(resolve_, 5));
      entered = (await inOwn.call("GET", `/automations/${automation}/enrollments`)).body.data;
    }
    expect(entered.map(({ contactId }) => contactId)).toEqual([loud]);
  });
});
