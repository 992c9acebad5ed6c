/** docs/contract.md "Many at once": columns that only seem to say who left, or who agreed, change nothing of an ordinary file. */
import { describe, expect, test } from "bun:test";
import { inNewWorkspace } from "../../support/server/api.ts";
import { errorsOf, imported, peopleOf, statusesOf, suggestedOf } from "../../support/people/imports.ts";
import { api, hasOwnWorkspaces, inOwn } from "../../support/people/own-workspaces.ts";

hasOwnWorkspaces();

const SUBSCRIBED = { status: "SUBSCRIBED" };

describe("ordinary files are imported as always", () => {
  test.each([
    ["Mailchimp's", "Email Address,First Name,MEMBER_RATING,Opt-in\nin@x.example,A,2,\n"],
    ["Brevo's", "EMAIL,FIRSTNAME,OPT_IN,DOUBLE_OPT-IN\nin@x.example,A,,\n"],
    [
      "Brevo's, with a field of the account",
      "EMAIL,FIRSTNAME,NEWSLETTER,ADDED_TIME\nin@x.example,A,,01-02-2024\n",
    ],
  ])("in %s file a field that hardly anybody there fills in says nothing of who agreed", async (_, file) => {
    expect(await statusesOf(inOwn, file, SUBSCRIBED)).toEqual({ in: "SUBSCRIBED" });
  });

  test("links, counts, dates of joining, text messages, places and orders say nothing of who left", async () => {
    const header =
      "email,unsubscribe_link,unsubscribeUrl,unsubscribe_token,bounce_count,soft_bounces,subscribed_at,Opt-in Date,optin_ip,SMS opt-in,state,order_status,Blocked hours count";
    const row = "in@x.example,https://x.example/u,https://x.example/u,abc,2,3,2024-01-01,,,no,CA,cancelled,3";
    const file = `${header}\n${row}\n`;
    expect(await statusesOf(inOwn, file, { ...SUBSCRIBED, unknownColumns: "attributes" })).toEqual({
      in: "SUBSCRIBED",
    });
    const { attributes } = (await peopleOf(inOwn))["in@x.example"];
    expect(attributes).toMatchObject({ bounce_count: "2", state: "CA" });
    const others = Object.entries(await suggestedOf(inOwn, file)).filter(([name]) => name !== "email");
    expect(others.filter(([, suggested]) => !suggested?.startsWith("attributes."))).toEqual([]);
  });

  test("what asks for a wish says nothing by figures and other words, and as an attribute only what is for subscribers", async () => {
    const file =
      "email,Keep me informed,Newsletter format,active\nin@x.example,0,weekly,3\nno@x.example,no,never,no\n";
    expect(await statusesOf(inOwn, file, { ...SUBSCRIBED, unknownColumns: "attributes" })).toEqual({
      in: "SUBSCRIBED",
      no: "PENDING",
    });
    expect((await peopleOf(inOwn))["in@x.example"].attributes).toEqual({
      keep_me_informed: "0",
      newsletter_format: "weekly",
      active: "3",
    });
    const mapping = { email: "email", "Keep me informed": "attributes.k", active: "attributes.a" };
    expect(await statusesOf(await inNewWorkspace(api), file, { ...SUBSCRIBED, mapping })).toEqual({
      in: "SUBSCRIBED",
      no: "SUBSCRIBED",
    });
  });

  test.each(["Subscription", "News", "Updates"])("a plain no in a column %s is a no", async (header) => {
    const file = `email,${header}\nin@x.example,yes\nbox@x.example,Coffee box\nno@x.example,no\n`;
    expect(await statusesOf(inOwn, file, SUBSCRIBED)).toEqual({
      in: "SUBSCRIBED",
      box: "SUBSCRIBED",
      no: "PENDING",
    });
  });

  test.each(["Marketing preferences", "Permission", "Newsletters", "Email frequency", "Kontakterlaubnis"])(
    "who chose nothing in a column %s agreed to nothing, also where it becomes an attribute",
    async (header) => {
      const file = `email,${header}\nin@x.example,All\nempty@x.example,\nno@x.example,nein\nnone@x.example,None\nzero@x.example,0\n`;
      const expected = {
        in: "SUBSCRIBED",
        empty: "SUBSCRIBED",
        no: "PENDING",
        none: "PENDING",
        zero: "PENDING",
      };
      expect(await statusesOf(inOwn, file, SUBSCRIBED)).toEqual(expected);
      // The console sends what a preview suggests.
      const mapping = await suggestedOf(inOwn, file);
      expect(mapping[header]).toStartWith("attributes.");
      expect(await statusesOf(await inNewWorkspace(api), file, { ...SUBSCRIBED, mapping })).toEqual(expected);
      const answers = `email,${header}\nin@x.example,ja\nnone@x.example,None\n`;
      expect(await suggestedOf(inOwn, answers)).toMatchObject({ [header]: "optedIn" });
      const silent = { ...SUBSCRIBED, mapping: { email: "email", [header]: null } };
      expect(await statusesOf(await inNewWorkspace(api), file, silent)).toEqual({
        in: "SUBSCRIBED",
        empty: "SUBSCRIBED",
        no: "SUBSCRIBED",
        none: "SUBSCRIBED",
        zero: "SUBSCRIBED",
      });
    },
  );

  test("a column that means something else is named in the mapping, and then says nothing", async () => {
    const file =
      "email,disabled,state,Unsubscribed,Contact status\nin@x.example,yes,cancelled,by letter only,unsubscribed\n";
    const mapping = {
      email: "email",
      disabled: "attributes.disabled",
      state: "attributes.order",
      Unsubscribed: null,
      "Contact status": null,
    };
    expect(await statusesOf(inOwn, file, { ...SUBSCRIBED, mapping })).toEqual({ in: "SUBSCRIBED" });
    const { attributes } = (await peopleOf(inOwn))["in@x.example"];
    expect(attributes).toEqual({ disabled: "yes", order: "cancelled" });
  });

  test("another tool's words in a column status fail their rows, and the error says how to have them read", async () => {
    const file =
      "Email,Status\nin@x.example,Active\nout@x.example,Unsubscribed\nspam@x.example,complained\nnone@x.example,Unconfirmed\n";
    const done = await imported(inOwn, file, SUBSCRIBED);
    const [[line, message] = []] = await errorsOf(inOwn, done.id);
    expect([done.failed, line, message]).toEqual([
      3,
      2,
      expect.stringContaining("--map 'Status=subscribed'"),
    ]);
    // The preview suggests it, and leaves a column with our own words alone.
    const mapping = await suggestedOf(inOwn, file);
    expect(mapping).toEqual({ Email: "email", Status: "subscribed" });
    expect(
      await suggestedOf(inOwn, "Email,Status\na@x.example,Subscribed\nb@x.example,PENDING\n"),
    ).toMatchObject({
      Status: "status",
    });
    for (const word of ["Désinscrit", "Inscrit", "Actif", "Activo", "Attivo", "aktywny"])
      expect(await suggestedOf(inOwn, `Email,Status\na@x.example,${word}\n`)).toMatchObject({
        Status: "subscribed",
      });
    // Nobody has opted out of mail with an order that was cancelled: the rows fail, and say why.
    const orders = "Email,Status\na@x.example,completed\nb@x.example,cancelled\nc@x.example,deleted\n";
    expect(await suggestedOf(inOwn, orders)).toMatchObject({ Status: "status" });
    expect(await statusesOf(inOwn, file, { ...SUBSCRIBED, mapping })).toEqual({
      in: "SUBSCRIBED",
      out: "UNSUBSCRIBED",
      spam: "UNSUBSCRIBED",
      none: "PENDING",
    });
  });

  test("an attribute of our own export is one, whatever it is called", async () => {
    const file =
      "email,firstName,lastName,tags,status,createdAt,attributes.type,attributes.unsubscribed\nin@x.example,,,,SUBSCRIBED,2024-01-01,unsubscribed,yes\n";
    expect(await statusesOf(inOwn, file, {})).toEqual({ in: "SUBSCRIBED" });
  });

  test("a cell that cannot be read fails its row, and says how to go on", async () => {
    const file =
      "email,subscribed,unsubscribe\nin@x.example,yes,\nmaybe@x.example,weekly,\nlink@x.example,yes,https://x.example\n";
    const done = await imported(inOwn, file, SUBSCRIBED);
    expect(done).toMatchObject({ created: 1, failed: 2 });
    expect(await errorsOf(inOwn, done.id)).toEqual([
      [
        3,
        'the column "subscribed" may say who left, and "weekly" is neither a yes nor a no: write one, or say what the column becomes instead (`mapping`, --map \'subscribed=\')',
      ],
      [4, expect.stringContaining("--map 'unsubscribe='")],
    ]);
  });
});
