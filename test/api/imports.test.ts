/** docs/contract.md "Many at once": files that are imported. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startApi, type TestApi } from "../support/api.ts";
import { errorsOf, imported, upload } from "../support/imports.ts";
import { consentLog, listOf, person, suppressions } from "../support/people.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** Every test has a workspace of its own. */
let inOwn: TestApi;
beforeEach(async () => {
  const { id, key } = await api.services.workspaces.create("Import");
  inOwn = {
    ...api,
    workspaceId: id,
    key,
    call: (method, path, body, own = key) => api.call(method, path, body, own),
  };
});

const FIXTURES = resolve(import.meta.dir, "../fixtures/imports");
const fixture = (name: string): Uint8Array => readFileSync(`${FIXTURES}/${name}`);
const preview = async (file: string | Uint8Array, options?: object) =>
  (await upload(inOwn, "/imports/preview", file, options)).body.data;

/** The contacts by address, with their attributes. */
async function people(path = "/contacts"): Promise<Record<string, any>> {
  const { data } = (await inOwn.call("GET", `${path}?limit=100&include=attributes`)).body;
  return Object.fromEntries(data.map((one: any) => [one.email, one]));
}
/** An import is over a moment before its file is gone. */
const untilNoneWaits = async (): Promise<void> => {
  while (waiting().length > 0) await new Promise((resolve_) => setTimeout(resolve_, 5));
};
const waiting = (): string[] => {
  try {
    return readdirSync(join(api.dataDir, "imports"));
  } catch {
    return [];
  }
};

describe("POST /imports", () => {
  test("answers at once, imports by itself, and tells how far it is", async () => {
    const file =
      "email,firstName,status\nada@example.com,Ada,SUBSCRIBED\nnobody,,PENDING\ngrace@example.com,,PENDING\n";
    const started = await upload(inOwn, "/imports", file);
    expect(started.status).toBe(202);
    expect(started.body.data).toMatchObject({ fileName: "people.csv", state: "RUNNING", error: null });
    const done = await import("../support/imports.ts").then(({ ended }) =>
      ended(inOwn, started.body.data.id),
    );
    expect(done).toMatchObject({
      id: started.body.data.id,
      state: "DONE",
      rows: 3,
      created: 2,
      updated: 0,
      skipped: 0,
      failed: 1,
      finishedAt: expect.any(String),
    });
    expect(await errorsOf(inOwn, done.id)).toEqual([[3, expect.stringContaining("@")]]);
    expect((await inOwn.call("GET", "/imports")).body.data).toEqual([done]);
    expect(Object.keys(await people()).toSorted()).toEqual(["ada@example.com", "grace@example.com"]);
    await untilNoneWaits();
  });

  test.each([
    ["no column for the address", "name,status\nAda,PENDING\n", {}, "no column email"],
    ["no word on the status", "email\nada@example.com\n", {}, "`status`"],
    ["an empty file", "", { status: "PENDING" }, "empty"],
    [
      "a mapping of a column that is not there",
      "email\na@b.example\n",
      { status: "PENDING", mapping: { Mail: "email" } },
      "Mail",
    ],
    [
      "two columns for one field",
      "a,b\nx,y\n",
      { status: "PENDING", mapping: { a: "email", b: "email" } },
      "twice",
    ],
    ["a field that is none", "a\nx\n", { mapping: { a: "phone" } }, "`mapping`"],
    ["an attribute that can be none", "a\nx\n", { mapping: { a: "attributes.two words" } }, "`mapping`"],
    ["a status that is none", "email\nx\n", { status: "ACTIVE" }, "`status`"],
    ["unknownColumns that is none", "email\nx\n", { unknownColumns: "keep" }, "`unknownColumns`"],
    ["existing that is none", "email\nx\n", { existing: "replace" }, "`existing`"],
    ["a delimiter that is none", "email\nx\n", { delimiter: "::" }, "`delimiter`"],
    ["another service's name", "email\nx\n", { listId: "x" }, "`listIds`"],
    ["options that are no object", "email\nx\n", "[1]", "`options`"],
    ["options that are no JSON", "email\nx\n", "{", "`options`"],
  ])("with %s is 422; nothing is kept", async (_, file, options, says) => {
    const answer = await upload(inOwn, "/imports", file, options);
    expect([answer.status, answer.body.error?.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.error.message).toContain(says);
    expect((await inOwn.call("GET", "/imports")).body.data).toEqual([]);
    expect([await people(), waiting()]).toEqual([{}, []]);
  });

  test("with a list of nobody or of another workspace is 404", async () => {
    const theirs = await listOf(api, "Theirs");
    for (const listIds of [["list_none"], [theirs]]) {
      const answer = await upload(inOwn, "/imports", "email\na@b.example\n", { status: "PENDING", listIds });
      expect([answer.status, answer.body.error.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect([await people(), waiting()]).toEqual([{}, []]);
  });

  test.each([
    ["JSON", "application/json", "{}"],
    ["no boundary", "multipart/form-data", "x"],
    [
      "no file in it",
      "multipart/form-data; boundary=x",
      '--x\r\ncontent-disposition: form-data; name="options"\r\n\r\n{}\r\n--x--\r\n',
    ],
    [
      "a file that is cut off",
      "multipart/form-data; boundary=x",
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nemail',
    ],
    ["nothing", "multipart/form-data; boundary=x", ""],
  ])("of %s is 422", async (_, type, body) => {
    const headers = { authorization: `Bearer ${inOwn.key}`, "content-type": type };
    const response = await fetch(`${api.url}/api/v1/imports`, { method: "POST", headers, body });
    const answer = {
      status: response.status,
      body: (await response.json()) as any,
      headers: response.headers,
    };
    api.check("POST", "/imports", answer);
    expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(waiting()).toEqual([]);
  });
});

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

describe("files of other tools are recognized", () => {
  test("listmonk: JSON keeps its types, nested members are dropped with a warning, blocklisted are suppressed", async () => {
    const done = await imported(inOwn, fixture("listmonk.csv"));
    expect(done).toMatchObject({ state: "DONE", rows: 4, created: 3, failed: 1 });
    expect(await errorsOf(inOwn, done.id)).toEqual([
      [2, expect.stringContaining('"address"')],
      [5, expect.stringContaining('"archived"')],
    ]);
    const all = await people();
    expect(all["ada@listmonk.example"]).toMatchObject({
      firstName: "Ada",
      lastName: "King Lovelace",
      status: "SUBSCRIBED",
      attributes: { city: "London", visits: 7, vip: true, langs: ["en", "fr"] },
    });
    expect(all["grace@listmonk.example"]).toMatchObject({ status: "UNSUBSCRIBED", attributes: {} });
    expect(all["linus@listmonk.example"]).toMatchObject({ status: "UNSUBSCRIBED" });
    expect(await suppressions(inOwn, inOwn.workspaceId)).toEqual({
      "grace@listmonk.example": "UNSUBSCRIBED",
      "linus@listmonk.example": "MANUAL",
    });
  });

  test("listmonk: enabled follows the status of the options", async () => {
    await imported(inOwn, fixture("listmonk.csv"), { status: "PENDING" });
    const all = await people();
    expect([all["ada@listmonk.example"].status, all["grace@listmonk.example"].status]).toEqual([
      "PENDING",
      "UNSUBSCRIBED",
    ]);
  });

  test("Mailchimp: tags as quoted names, the time of consent, merge fields as attributes", async () => {
    expect((await upload(inOwn, "/imports", fixture("mailchimp-subscribed.csv"))).status).toBe(422);
    const options = { status: "SUBSCRIBED", unknownColumns: "attributes" };
    expect(await imported(inOwn, fixture("mailchimp-subscribed.csv"), options)).toMatchObject({
      created: 2,
      failed: 0,
    });
    const ada = (await people())["ada@mailchimp.example"];
    expect(ada).toMatchObject({ firstName: "Ada", lastName: "Lovelace", tags: ["VIP", "Early, bird"] });
    expect(ada.attributes).toMatchObject({ Birthday: "12/10", favourite_colour: "green", CC: "GB" });
    expect(Object.keys(ada.attributes)).not.toContain("LEID");
    const log = await Array.fromAsync(api.services.contacts.consentLog(inOwn.workspaceId));
    expect(log.map(({ email, source, at }) => [email, source, at])).toEqual([
      ["ada@mailchimp.example", "import", Date.UTC(2020, 2, 14, 9, 12, 31)],
    ]);
  });

  test("Mailchimp: those who left stay out, and dead addresses too, whatever the options say", async () => {
    await imported(inOwn, fixture("mailchimp-unsubscribed.csv"), { status: "SUBSCRIBED" });
    await imported(inOwn, fixture("mailchimp-cleaned.csv"));
    const statuses = Object.values(await people()).map(({ email, status }) => [email, status]);
    expect(Object.fromEntries(statuses)).toEqual({
      "linus@mailchimp.example": "UNSUBSCRIBED",
      "dead@mailchimp.example": "BOUNCED",
    });
  });

  test("Brevo, Keila and Substack", async () => {
    await imported(inOwn, fixture("brevo.csv"), { status: "SUBSCRIBED", unknownColumns: "attributes" });
    await imported(inOwn, fixture("keila.csv"));
    await imported(inOwn, fixture("substack.csv"), { unknownColumns: "attributes" });
    const all = await people();
    const statuses = Object.entries(all).map(([email, { status }]) => [
      email.replace(".example", ""),
      status,
    ]);
    expect(Object.fromEntries(statuses)).toEqual({
      "ada@brevo": "SUBSCRIBED",
      "grace@brevo": "UNSUBSCRIBED",
      "ada@keila": "SUBSCRIBED",
      "grace@keila": "UNSUBSCRIBED",
      "dead@keila": "BOUNCED",
      "ada@substack": "SUBSCRIBED",
      "grace@substack": "UNSUBSCRIBED",
    });
    expect(all["ada@brevo.example"]).toMatchObject({
      firstName: "Ada",
      attributes: { CITY: "Paris", SMS: "33600000001" },
    });
    expect(all["ada@keila.example"].attributes).toEqual({ plan: "pro", tags: ["a", "b"] });
    expect(all["ada@substack.example"].attributes).toMatchObject({ plan: "yearly" });
  });
});

describe("POST /imports/preview", () => {
  test("shows source, delimiter, encoding, samples and what to make of each column; nothing is kept", async () => {
    const seen = await preview(fixture("mailchimp-subscribed.csv"));
    expect(seen).toMatchObject({ source: "mailchimp", delimiter: ",", encoding: "utf-8" });
    const columns = Object.fromEntries(seen.columns.map(({ header, ...rest }: any) => [header, rest]));
    expect(columns["Email Address"]).toEqual({
      samples: ["ada@mailchimp.example", "grace@mailchimp.example"],
      suggested: "email",
    });
    expect([columns.TAGS.suggested, columns.OPTIN_TIME.suggested, columns.LEID.suggested]).toEqual([
      "tags",
      "consentAt",
      null,
    ]);
    expect(columns["Favourite colour"].suggested).toBe("attributes.favourite_colour");
    expect([(await inOwn.call("GET", "/imports")).body.data, waiting()]).toEqual([[], []]);
  });

  test.each([
    ["listmonk", "listmonk.csv"],
    ["brevo", "brevo.csv"],
    ["keila", "keila.csv"],
    ["substack", "substack.csv"],
    ["mailchimp", "mailchimp-unsubscribed.csv"],
  ])("recognizes %s", async (source, name) => {
    expect((await preview(fixture(name))).source).toBe(source);
  });

  test.each([
    [",", "utf-8", (text: string) => Buffer.from(text)],
    [",", "utf-8", (text: string) => Buffer.from(`\uFEFF${text}`)],
    [";", "windows-1252", (text: string) => Buffer.from(text.replaceAll(",", ";"), "latin1")],
    ["\t", "utf-16le", (text: string) => Buffer.from(`\uFEFF${text.replaceAll(",", "\t")}`, "utf16le")],
    [
      "\t",
      "utf-16be",
      (text: string) => Buffer.from(`\uFEFF${text.replaceAll(",", "\t")}`, "utf16le").swap16(),
    ],
    [";", "utf-8", (text: string) => Buffer.from(`sep=;\r\n${text.replaceAll(",", ";")}`)],
  ])("finds the delimiter %j and the encoding %s", async (delimiter, encoding, encode) => {
    const seen = await preview(encode("E-Mail,First name\r\nzoe@example.com,Zoé\r\n"));
    expect(seen).toMatchObject({ source: null, delimiter, encoding });
    expect(seen.columns).toEqual([
      { header: "E-Mail", samples: ["zoe@example.com"], suggested: "email" },
      { header: "First name", samples: ["Zoé"], suggested: "firstName" },
    ]);
  });

  test("needs only the beginning, and says so of a file that is none", async () => {
    const long = `email,firstName\n${"ada@example.com,Ada\n".repeat(200_000)}`;
    expect((await preview(long)).columns).toHaveLength(2);
    expect((await upload(inOwn, "/imports/preview", "")).status).toBe(422);
  });
});

describe("imports of a workspace", () => {
  test("are listed newest first and seen by nobody else", async () => {
    const first = await imported(inOwn, "email\na@example.com\n", { status: "PENDING" });
    const second = await imported(inOwn, "email\nx\n", { status: "PENDING" });
    const listed = (await inOwn.call("GET", "/imports?limit=1")).body;
    expect([listed.data[0].id, listed.pagination.total]).toEqual([second.id, 2]);
    const next = (await inOwn.call("GET", `/imports?after=${listed.pagination.nextCursor}`)).body.data;
    expect(next.map(({ id }: any) => id)).toEqual([first.id]);
    for (const [method, path] of [
      ["GET", `/imports/${first.id}`],
      ["GET", `/imports/${second.id}/errors`],
      ["DELETE", `/imports/${first.id}`],
    ] as const)
      expect([path, (await api.call(method, path)).status]).toEqual([path, 404]);
    expect((await api.call("GET", "/imports")).body.data).toEqual([]);
  });

  test("have their errors in pages, by line, the first 1,000 of them", async () => {
    const rows = Array.from({ length: 1_500 }, (_, i) => (i % 3 === 2 ? `p${i}@example.com` : "no address"));
    const done = await imported(inOwn, ["email", ...rows].join("\n"), { status: "PENDING" });
    expect(done).toMatchObject({ rows: 1_500, created: 500, failed: 1_000 });
    const lines: number[] = [];
    for (let after = ""; ;) {
      const page = (await inOwn.call("GET", `/imports/${done.id}/errors?limit=100&after=${after}`)).body;
      lines.push(...page.data.map(({ line }: any) => line));
      expect(page.pagination.total).toBe(1_000);
      after = page.pagination.nextCursor;
      if (after === null) break;
    }
    expect(lines).toEqual(rows.flatMap((row, i) => (row === "no address" ? [i + 2] : [])));
  });

  test("that are over cannot be cancelled", async () => {
    const done = await imported(inOwn, "email\na@example.com\n", { status: "PENDING" });
    expect(await inOwn.call("DELETE", `/imports/${done.id}`)).toMatchObject({
      status: 422,
      body: { error: { code: "WRONG_STATE" } },
    });
    expect((await inOwn.call("DELETE", "/imports/imp_none")).status).toBe(404);
  });

  test("that are cancelled keep what was kept and read no further", async () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `c${i}@example.com`);
    const id = (await upload(inOwn, "/imports", ["email", ...rows].join("\n"), { status: "PENDING" })).body
      .data.id;
    expect((await inOwn.call("DELETE", `/imports/${id}`)).status).toBe(204);
    const { state, created } = (await inOwn.call("GET", `/imports/${id}`)).body.data;
    expect(state).toBe("CANCELLED");
    expect(created).toBeLessThan(30_000);
    await imported(inOwn, "email\nlast@example.com\n", { status: "PENDING" });
    const { total } = (await inOwn.call("GET", "/contacts?q=c&limit=1")).body.pagination;
    expect((await inOwn.call("GET", `/imports/${id}`)).body.data.created).toBe(created);
    expect(total).toBe(created + 1);
    await untilNoneWaits();
  });

  test("whose list is deleted meanwhile go on without it", async () => {
    const [kept, deleted] = [await listOf(inOwn, "Kept"), await listOf(inOwn, "Deleted")];
    const rows = Array.from({ length: 5_000 }, (_, i) => `l${i}@example.com`);
    const options = { status: "PENDING", listIds: [kept, deleted] };
    const id = (await upload(inOwn, "/imports", ["email", ...rows].join("\n"), options)).body.data.id;
    await inOwn.call("DELETE", `/lists/${deleted}`);
    const { ended } = await import("../support/imports.ts");
    expect(await ended(inOwn, id)).toMatchObject({ state: "DONE", created: 5_000, error: null });
    expect((await inOwn.call("GET", `/lists/${kept}`)).body.data.contactCount).toBe(5_000);
  });
});

describe("a hostile file", () => {
  test("a line of 40 MB, NUL, 10,000 columns, quotes that never close: each is one error, the rest is imported", async () => {
    const wide = Array.from({ length: 9_000 }, (_, i) => `c${i}`).join(",");
    const file = [
      `email,firstName,${wide}`,
      "ada@example.com,A\0da",
      "x".repeat(40 * 1024 * 1024),
      ",".repeat(500_000),
      '"b"ad,quotes',
      "grace@example.com,Grace",
      'linus@example.com,"never closed',
      "lost@example.com,Lost",
    ].join("\n");
    const done = await imported(inOwn, file, { status: "PENDING" });
    expect(done).toMatchObject({ state: "DONE", created: 2, failed: 4 });
    expect((await errorsOf(inOwn, done.id)).map(([line]) => line)).toEqual([3, 4, 5, 7]);
    expect((await people())["ada@example.com"].firstName).toBe("Ada");
  });

  test("of broken rows alone ends, and names the first of them", async () => {
    const done = await imported(inOwn, `email\n${'"a"b\n'.repeat(20_000)}`, { status: "PENDING" });
    expect(done).toMatchObject({ state: "DONE", rows: 20_000, failed: 20_000, created: 0 });
  });
});
