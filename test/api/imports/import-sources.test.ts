/** docs/contract.md "Many at once": files that are imported. */
import { describe, expect, test } from "bun:test";
import { inNewWorkspace, type TestApi } from "../../support/server/api.ts";
import {
  ended,
  errorsOf,
  fixture,
  imported,
  peopleOf,
  upload,
  waitingFiles,
} from "../../support/people/imports.ts";
import { suppressions } from "../../support/people/people.ts";
import { api, hasOwnWorkspaces, inOwn } from "../../support/people/own-workspaces.ts";

hasOwnWorkspaces();

const preview = async (file: string | Uint8Array, options?: object) =>
  (await upload(inOwn, "/imports/preview", file, options)).body.data;

const people = (path?: string) => peopleOf(inOwn, path);
const waiting = () => waitingFiles(api);
const byAddress = <T extends { email: string }>(log: readonly T[]): T[] =>
  log.toSorted((a, b) => a.email.localeCompare(b.email));

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
    expect(byAddress(log).map(({ email, source, at }) => [email, source, at])).toEqual([
      ["ada@mailchimp.example", "import", Date.UTC(2020, 2, 14, 9, 14)],
      ["grace@mailchimp.example", "import", Date.UTC(2021, 4, 1, 10)],
    ]);
  });

  /** The labels are the account's own; only the system columns are Mailchimp's. */
  test("Mailchimp: known by its system columns, whatever the account calls the address", async () => {
    const file = new TextDecoder()
      .decode(fixture("mailchimp-subscribed.csv"))
      .replace('"Email Address","First Name","Last Name"', "E-Mail-Adresse,Vorname,Nachname");
    expect(await preview(file)).toMatchObject({ source: "mailchimp" });
    expect(await imported(inOwn, file, { status: "SUBSCRIBED" })).toMatchObject({ created: 2, failed: 0 });
    const ada = (await people())["ada@mailchimp.example"];
    expect(ada).toMatchObject({ firstName: "Ada", lastName: "Lovelace", tags: ["VIP", "Early, bird"] });
    const log = await Array.fromAsync(api.services.contacts.consentLog(inOwn.workspaceId));
    expect(byAddress(log).map(({ email, at }) => [email, at])).toEqual([
      ["ada@mailchimp.example", Date.UTC(2020, 2, 14, 9, 14)],
      ["grace@mailchimp.example", Date.UTC(2021, 4, 1, 10)],
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

  /** Where a cell is empty, somebody may have joined two of Mailchimp's files. */
  test.each([
    ["UNSUB_TIME", "UNSUBSCRIBED"],
    ["CLEAN_TIME", "BOUNCED"],
  ])(
    "Mailchimp: in a file with the column %s nobody is subscribed, and a row that does not say what it is fails",
    async (header, status) => {
      const file = `"E-Mail",LEID,${header}\nada@mailchimp.example,1,\nbob@mailchimp.example,2," "\neve@mailchimp.example,3,2024-01-01 00:00:00\n`;
      const mapping = { "E-Mail": "email", [header]: "attributes.left" };
      for (const options of [{}, { mapping }]) {
        const another = await inNewWorkspace(api);
        const { failed } = await imported(another, file, { ...options, status: "SUBSCRIBED" });
        expect(failed).toBe(2);
        expect(await peopleOf(another)).toMatchObject({ "eve@mailchimp.example": { status } });
        expect(Object.keys(await peopleOf(another))).toHaveLength(1);
      }
      const { source } = await preview(file);
      expect(source).toBe("mailchimp");
    },
  );

  test("Mailchimp: in files that were joined, the filled cell decides, and then a column status", async () => {
    const file = `Email Address,status,UNSUB_TIME,CLEAN_TIME
ada@mailchimp.example,SUBSCRIBED,,
dead@mailchimp.example,,,2024-01-01 00:00:00
left@mailchimp.example,SUBSCRIBED,2024-01-01 00:00:00,
`;
    await imported(inOwn, file, { status: "SUBSCRIBED" });
    expect(await peopleOf(inOwn)).toMatchObject({
      "ada@mailchimp.example": { status: "SUBSCRIBED" },
      "dead@mailchimp.example": { status: "BOUNCED" },
      "left@mailchimp.example": { status: "UNSUBSCRIBED" },
    });
  });

  /** People who never agreed have a file of their own, and only its name says so. */
  test.each([
    ["nonsubscribed_email_audience_export_0a1b2c.csv", 422],
    ["Copy of Non-Subscribed_members.CSV", 422],
    ["Non%20subscribed.csv", 422],
    ["non\u2011subscribed.csv", 422],
    ["my non--subscribed.csv", 422],
    ["nonsubscribers.csv", 422],
    ["subscribed_email_audience_export_0a1b2c.csv", 202],
    ["canonsubscribed.csv", 202],
  ])("Mailchimp: whether a file %s may subscribe people", async (name, status) => {
    const send = (path: string, options: object) =>
      upload(inOwn, path, fixture("mailchimp-subscribed.csv"), options, inOwn.key, name);
    const options = { status: "SUBSCRIBED" };
    const { body } = await send("/imports/preview?include=rows", options);
    const refused = await send("/imports", options);
    expect(refused.status).toBe(status);
    const says = status === 202 ? null : expect.stringContaining("never agreed");
    expect([body.data.refusal, refused.body.error?.message ?? null]).toEqual([says, says]);
    expect(body.data.rows).toHaveLength(status === 202 ? 2 : 0);
    if (status === 202) return void (await ended(inOwn, refused.body.data.id));
    expect([await people(), waiting()]).toEqual([{}, []]);
    const { id } = (await send("/imports", { status: "PENDING" })).body.data;
    expect(await ended(inOwn, id)).toMatchObject({ created: 2, failed: 0 });
    expect(Object.values(await people()).map((one) => one.status)).toEqual(["PENDING", "PENDING"]);
  });

  const consents = async (own: TestApi) =>
    (await Array.fromAsync(own.services.contacts.consentLog(own.workspaceId))).map(({ email }) => email);

  test("Mailchimp: no time in the file of people who never agreed counts as their consent", async () => {
    const file = "Email Address,First Name,OPTIN_TIME\nada@mailchimp.example,Ada,2020-03-14 09:12:31\n";
    const mapping = { "Email Address": "email", OPTIN_TIME: "consentAt" };
    for (const options of [{ status: "PENDING" }, { status: "UNSUBSCRIBED", mapping }]) {
      const another = await inNewWorkspace(api);
      const send = (path: string) => upload(another, path, file, options, another.key, "nonsubscribed_1.csv");
      const { body } = await send("/imports/preview?include=rows");
      expect(body.data.columns[2]).toMatchObject({ header: "OPTIN_TIME", suggested: null });
      expect(body.data.rows[0].contact.consentAt).toBeNull();
      expect(await ended(another, (await send("/imports")).body.data.id)).toMatchObject({ created: 1 });
      expect(await consents(another)).toEqual([]);
    }
    const { id } = (await upload(inOwn, "/imports", file, { status: "PENDING" })).body.data;
    await ended(inOwn, id);
    expect(await consents(inOwn)).toEqual(["ada@mailchimp.example"]);
  });

  test("Brevo: of whom _SUBSCRIBED does not name for email, no time counts as their consent", async () => {
    const file = `EMAIL;_SUBSCRIBED;Since
ada@brevo.example;email_marketing;2020-03-14
eve@brevo.example;sms_marketing;2020-03-14
`;
    const options = { mapping: { EMAIL: "email", Since: "consentAt" }, status: "SUBSCRIBED" };
    const { body } = await upload(inOwn, "/imports/preview?include=rows", file, options);
    const shown = body.data.rows.map(({ contact }: any) => contact.consentAt);
    expect(shown).toEqual(["2020-03-14T00:00:00.000Z", null]);
    expect(await imported(inOwn, file, options)).toMatchObject({ created: 2 });
    expect(await consents(inOwn)).toEqual(["ada@brevo.example"]);
  });

  test("a file that is refused for two reasons has the same one in its preview", async () => {
    const send = (path: string) =>
      upload(
        inOwn,
        path,
        "Name,LEID,EUID\nAda,1,2\n",
        { status: "SUBSCRIBED" },
        inOwn.key,
        "nonsubscribed.csv",
      );
    const { refusal } = (await send("/imports/preview?include=rows")).body.data;
    expect((await send("/imports")).body.error.message).toBe(refusal);
  });

  test("Brevo: without a status it is refused as a whole, although it says who left", async () => {
    const refused = await upload(inOwn, "/imports", fixture("brevo.csv"));
    expect([refused.status, refused.body.error.message]).toEqual([422, expect.stringContaining("`status`")]);
    expect([await people(), waiting()]).toEqual([{}, []]);
  });

  test.each([
    "_BLOCKLISTED",
    "EMAIL_BLOCKLISTED",
    "BLACKLISTED",
    "Email_Blacklisted",
    "_email_blocklisted",
    "emailBlacklisted",
  ])(
    "Brevo: who is marked in %s is not subscribed, also where somebody chooses the columns",
    async (header) => {
      const marks = ["true", "TRUE", "yes", "1", "email_marketing", "[sms_marketing|email_marketing]"];
      const free = ["false", "No", "0", "", "sms_marketing", "[]"];
      const rows = [...marks, ...free].map((cell, i) => `p${i}@brevo.example;${cell}\n`).join("");
      const file = `EMAIL;${header}\n${rows}`;
      const mapping = { EMAIL: "email" };
      const cells = { ...mapping, [header]: "attributes.blocked" };
      for (const options of [{ unknownColumns: "attributes" }, { mapping }, { mapping: cells }]) {
        const another = await inNewWorkspace(api);
        const done = await imported(another, file, { ...options, status: "SUBSCRIBED" });
        expect(done).toMatchObject({ created: 12, failed: 0 });
        const all = await peopleOf(another);
        const statuses = [...marks, ...free].map((_, i) => all[`p${i}@brevo.example`].status);
        expect(statuses).toEqual([...marks.map(() => "UNSUBSCRIBED"), ...free.map(() => "SUBSCRIBED")]);
        if (!("mapping" in options)) expect(all["p0@brevo.example"].attributes).toEqual({});
      }
      expect((await preview(file)).source).toBe("brevo");
    },
  );

  test("Brevo: a mark that nobody knows fails its row, because it may mean that the person left", async () => {
    for (const header of ["_BLOCKLISTED", "_SUBSCRIBED"]) {
      const file = `EMAIL;${header}\nada@brevo.example;perhaps\n`;
      const done = await imported(inOwn, file, { status: "SUBSCRIBED" });
      expect(done).toMatchObject({ created: 0, failed: 1 });
      expect(await errorsOf(inOwn, done.id)).toEqual([[2, expect.stringContaining('"perhaps"')]]);
    }
    const mapping = { EMAIL: "email", _SUBSCRIBED: "attributes.mark" };
    await imported(inOwn, "EMAIL;_SUBSCRIBED\nada@brevo.example;perhaps\n", {
      mapping,
      status: "SUBSCRIBED",
    });
    expect(await people()).toMatchObject({ "ada@brevo.example": { status: "PENDING" } });
  });

  /** Its export by API names the open channels in `_SUBSCRIBED` and the closed ones in `_BLOCKLISTED`. */
  test("Brevo: whom _SUBSCRIBED does not name for email is not subscribed, and keeps any other status", async () => {
    const rows = [
      ["ada", "[email_marketing|sms_marketing]", ""],
      ["bob", "email_marketing", "sms_marketing"],
      ["eve", "sms_marketing", ""],
      ["kim", "", ""],
      ["liz", "", "email_marketing"],
    ];
    const file = (...columns: number[]) =>
      [
        ["EMAIL", "_SUBSCRIBED", "_BLOCKLISTED"],
        ...rows.map(([name, ...cells]) => [`${name}@brevo.example`, ...cells]),
      ]
        .map((row) => columns.map((place) => row[place]).join(";"))
        .join("\n");
    const statusesOf = async (text: string, options: object) => {
      const another = await inNewWorkspace(api);
      expect(await imported(another, text, options)).toMatchObject({ created: 5, failed: 0 });
      const all = await peopleOf(another);
      return rows.map(([name]) => all[`${name}@brevo.example`].status);
    };
    const mapping = { EMAIL: "email" };
    for (const options of [{ unknownColumns: "attributes" }, { mapping }]) {
      const subscribing = { ...options, status: "SUBSCRIBED" };
      const both = ["SUBSCRIBED", "SUBSCRIBED", "PENDING", "PENDING", "UNSUBSCRIBED"];
      expect(await statusesOf(file(0, 1, 2), subscribing)).toEqual(both);
      expect(await statusesOf(file(0, 2, 1), subscribing)).toEqual(both);
      expect(await statusesOf(file(0, 1), subscribing)).toEqual([...both.slice(0, 4), "PENDING"]);
      const out = rows.map(() => "UNSUBSCRIBED");
      expect(await statusesOf(file(0, 1), { ...options, status: "UNSUBSCRIBED" })).toEqual(out);
    }
    expect((await preview(file(0, 1))).source).toBe("brevo");
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

describe("whoever left the other tool is not subscribed where somebody chooses the columns", () => {
  const statuses = async () =>
    Object.fromEntries(Object.entries(await people()).map(([email, { status }]) => [email, status]));

  test.each([
    ["listmonk.csv", { "grace@listmonk.example": "UNSUBSCRIBED", "linus@listmonk.example": "UNSUBSCRIBED" }],
    ["mailchimp-unsubscribed.csv", { "linus@mailchimp.example": "UNSUBSCRIBED" }],
    ["mailchimp-cleaned.csv", { "dead@mailchimp.example": "BOUNCED" }],
    ["brevo.csv", { "grace@brevo.example": "UNSUBSCRIBED" }],
    ["keila.csv", { "grace@keila.example": "UNSUBSCRIBED", "dead@keila.example": "BOUNCED" }],
    ["substack.csv", { "grace@substack.example": "UNSUBSCRIBED" }],
  ])("%s, as the preview suggests it", async (name, left) => {
    const { columns } = await preview(fixture(name));
    const mapping = Object.fromEntries(columns.map(({ header, suggested }: any) => [header, suggested]));
    await imported(inOwn, fixture(name), { mapping, status: "SUBSCRIBED" });
    expect(await statuses()).toMatchObject(left);
    const others = Object.entries(await statuses()).filter(([email]) => !Object.hasOwn(left, email));
    for (const [, status] of others) expect(status).toBe("SUBSCRIBED");
  });

  test("nor where those columns are not mapped, or become attributes", async () => {
    const email = { "Email Address": "email" };
    for (const options of [
      { mapping: email },
      { mapping: email, unknownColumns: "attributes" },
      { mapping: { ...email, UNSUB_TIME: "attributes.left" } },
    ]) {
      const another = await inNewWorkspace(api);
      await imported(another, fixture("mailchimp-unsubscribed.csv"), { ...options, status: "SUBSCRIBED" });
      expect((await peopleOf(another))["linus@mailchimp.example"]).toMatchObject({ status: "UNSUBSCRIBED" });
    }
  });

  test("a column that becomes the status is ours, and one that becomes an attribute may hold other words", async () => {
    const file = "email,name,status,attributes\nada@x.example,Ada,gold,\nbob@x.example,Bob,disabled,\n";
    const ours = { mapping: { status: "status" }, status: "SUBSCRIBED" };
    expect(await imported(inOwn, file, ours)).toMatchObject({ created: 0, failed: 2 });
    const left = { mapping: { status: null }, status: "SUBSCRIBED" };
    expect(await imported(inOwn, file, left)).toMatchObject({ created: 1, failed: 1 });
    const level = { mapping: { status: "attributes.level" }, status: "SUBSCRIBED" };
    expect(await imported(inOwn, file, level)).toMatchObject({ failed: 0 });
    expect(await statuses()).toEqual({ "ada@x.example": "SUBSCRIBED", "bob@x.example": "UNSUBSCRIBED" });
    const own = file.replace("gold", "SUBSCRIBED").replace("disabled", "UNSUBSCRIBED");
    const mapped = { mapping: { name: "name" } };
    expect(await imported(await inNewWorkspace(api), own, mapped)).toMatchObject({ created: 2, failed: 0 });
  });
});
