/** docs/contract.md "Many at once": columns that say who left, in files of tools that are not recognized. */
import { describe, expect, test } from "bun:test";
import { inNewWorkspace } from "../../support/server/api.ts";
import {
  errorsOf,
  imported,
  peopleOf,
  statusesOf,
  suggestedOf,
  upload,
} from "../../support/people/imports.ts";
import { api, hasOwnWorkspaces, inOwn } from "../../support/people/own-workspaces.ts";

hasOwnWorkspaces();

const SUBSCRIBED = { status: "SUBSCRIBED" };
const OUT = "UNSUBSCRIBED";

/** `in` agreed; the others have left, or nobody knows that they agreed. */
const FILES: [tool: string, file: string, left: Record<string, string>][] = [
  [
    "Ghost",
    "id,email,name,note,subscribed_to_emails,created_at\n1,in@x.example,A,,true,2024-01-02\n2,out@x.example,B,,false,2024-01-02\n",
    { out: OUT },
  ],
  [
    "Resend",
    "id,created_at,first_name,email,unsubscribed\n1,2024-05-01,A,in@x.example,false\n2,2024-05-01,B,out@x.example,true\n",
    { out: OUT },
  ],
  [
    "Plunk",
    "email,subscribed\nin@x.example,true\nout@x.example,false\nnone@x.example,\n",
    { out: OUT, none: "PENDING" },
  ],
  [
    "HubSpot",
    "Email,First Name,Unsubscribed from all email,Email hard bounce reason\nin@x.example,A,,\nno@x.example,A,false,\nout@x.example,B,true,\ndead@x.example,C,,UNKNOWN_USER\n",
    { no: "SUBSCRIBED", out: OUT, dead: "BOUNCED" },
  ],
  [
    "Mailcoach",
    "email,subscribed_at,unsubscribed_at\nin@x.example,2024-01-01 10:00:00,\nout@x.example,2024-01-01 10:00:00,2024-05-01 10:00:00\nzero@x.example,,0000-00-00 00:00:00\n",
    { out: OUT, zero: "SUBSCRIBED" },
  ],
  [
    "Kit",
    "first_name,email,state\nA,in@x.example,active\nB,out@x.example,cancelled\nC,dead@x.example,bounced\nD,spam@x.example,complained\nE,none@x.example,inactive\n",
    { out: OUT, dead: "BOUNCED", spam: OUT, none: "PENDING" },
  ],
  [
    "CleverReach",
    "E-Mail;Registriert;Aktiviert;Deaktiviert;Quelle\nin@x.example;01.02.2020;01.02.2020 10:01;;API\nout@x.example;01.02.2020;01.02.2020;03.02.2021;API\nnone@x.example;01.02.2020;;;API\n",
    { out: OUT, none: "PENDING" },
  ],
  [
    "phpList, by its own headers",
    "Email\tIs this subscriber confirmed\tIs this subscriber blacklisted\tNumber of bounces\tIs this account disabled?\nin@x.example\t1\t0\t2\t0\nnone@x.example\t0\t0\t0\t0\nout@x.example\t1\t0\t0\t1\nblack@x.example\t1\t1\t0\t0\n",
    { none: "PENDING", out: OUT, black: OUT },
  ],
  [
    "Klaviyo",
    'Email,Email Marketing Consent,Email Suppressions\nin@x.example,SUBSCRIBED,[]\nnone@x.example,NEVER_SUBSCRIBED,[]\ndead@x.example,SUBSCRIBED,"[""HARD_BOUNCE""]"\n',
    { none: "PENDING", dead: "BOUNCED" },
  ],
  [
    "MailPoet",
    "email,first_name,global_status,list_name,list_status\nin@x.example,A,subscribed,News,subscribed\nout@x.example,B,unsubscribed,News,subscribed\nnone@x.example,C,unconfirmed,News,subscribed\ndead@x.example,D,bounced,News,subscribed\n",
    { out: OUT, none: "PENDING", dead: "BOUNCED" },
  ],
  [
    "Buttondown",
    "email_address,tags,type,creation_date,unsubscription_date,undeliverability_date\nin@x.example,,regular,2024-01-01,,\npays@x.example,,premium,2024-01-01,,\nout@x.example,,unsubscribed,2024-01-01,2024-05-01,\nspam@x.example,,complained,2024-01-01,,\nnone@x.example,,unactivated,2024-01-01,,\ndead@x.example,,undeliverable,2024-01-01,,2024-05-01\n",
    { pays: "SUBSCRIBED", out: OUT, spam: OUT, none: "PENDING", dead: "BOUNCED" },
  ],
  [
    "Constant Contact",
    "Email address,First name,Email status,Email permission status,Tags\nin@x.example,A,Active,Implied,\nnone@x.example,B,Active,Awaiting confirmation,\nout@x.example,C,Unsubscribed,,\n",
    { none: "PENDING", out: OUT },
  ],
  [
    "a French spreadsheet",
    "E-mail;Nom;Statut\nin@x.example;A;Inscrit\nout@x.example;B;Désinscrit\n",
    { out: OUT },
  ],
  [
    "HubSpot, with who may not be sent marketing",
    "Email,Marketing contact status,Unsubscribed from all email\nin@x.example,Marketing contact,\nnone@x.example,Non-marketing contact,\n",
    { none: "PENDING" },
  ],
  ["Mailjet", "email,unsub\nin@x.example,false\nout@x.example,true\n", { out: OUT }],
  [
    "phpList",
    "email,confirmed,blacklisted,bouncecount,disabled\nin@x.example,1,0,0,0\nnone@x.example,0,0,0,0\nout@x.example,1,0,3,1\nblack@x.example,1,1,0,0\n",
    { none: "PENDING", out: OUT, black: OUT },
  ],
  [
    "Shopify",
    "Email,Accepts Email Marketing,Accepts SMS Marketing\nin@x.example,yes,no\nnone@x.example,no,yes\n",
    { none: "PENDING" },
  ],
  [
    "Salesforce",
    "Email,Email Opt Out,Email Bounced Date\nin@x.example,0,\nout@x.example,1,\ndead@x.example,0,2024-05-01T10:00:00Z\n",
    { out: OUT, dead: "BOUNCED" },
  ],
  [
    "a form of Google's, which has Mailchimp's header for the address",
    "Timestamp,Email Address,First Name,Newsletter opt-in\n1/2/2024,in@x.example,A,Yes\n1/2/2024,no@x.example,B,No\n1/2/2024,none@x.example,C,\n",
    { no: "PENDING", none: "PENDING" },
  ],
  [
    "a French spreadsheet with Brevo's headers",
    "NOM;PRENOM;EMAIL;NEWSLETTER\nA;B;in@x.example;oui\nC;D;no@x.example;non\n",
    { no: "PENDING" },
  ],
  [
    "a form that asks in words of its own",
    "Email;Would you like to receive our newsletter?\nin@x.example;Yes, please!\nno@x.example;No, thank you\n",
    { no: "PENDING" },
  ],
  ["a German spreadsheet", "E-Mail;Abgemeldet am\nin@x.example;\nout@x.example;03.05.2024\n", { out: OUT }],
];

describe("whoever left there is not subscribed here", () => {
  test.each(FILES)("%s: whatever becomes of other columns, with a mapping too", async (_, file, left) => {
    const header = file.split(/[,;\t\n]/).find((name) => /^e-?mail(?:[ _]address)?$/i.test(name)) ?? "";
    for (const given of [{}, { unknownColumns: "attributes" }, { mapping: { [header]: "email" } }])
      expect(await statusesOf(await inNewWorkspace(api), file, { ...given, ...SUBSCRIBED })).toEqual({
        in: "SUBSCRIBED",
        ...left,
      });
  });

  test.each(FILES)("%s: as the preview suggests it, which names those columns", async (_, file, left) => {
    const mapping = await suggestedOf(inOwn, file);
    expect(await statusesOf(inOwn, file, { mapping, ...SUBSCRIBED })).toEqual({ in: "SUBSCRIBED", ...left });
    const saysWhoLeft = ["unsubscribed", "bounced", "subscribed", "optedIn"];
    expect(Object.values(mapping).some((field) => saysWhoLeft.includes(field ?? ""))).toBe(true);
  });

  test("a column of states is known by one word in its first rows, and one of places by none", async () => {
    const rows = ["new", "lead", "customer", "regular", "unsubscribed"].map(
      (state, i) => `p${i}@x.example,${state},CA`,
    );
    const file = `email,Newsletter status,state\n${rows.join("\n")}\n`;
    expect(await suggestedOf(inOwn, file)).toMatchObject({
      "Newsletter status": "subscribed",
      state: "attributes.state",
    });
  });

  test("also beyond the rows that a preview looks at, which makes their column an attribute", async () => {
    const rows = Array.from({ length: 150 }, (_, i) => `p${i}@x.example,Cliente,regular`);
    const file = `email,Statut,type\n${rows.join("\n")}\nout@x.example,Désinscrit,regular\nspam@x.example,Cliente,complained\n`;
    const mapping = await suggestedOf(inOwn, file);
    expect(mapping).toMatchObject({ Statut: "attributes.Statut", type: "attributes.type" });
    const done = await imported(inOwn, file, { mapping, ...SUBSCRIBED });
    expect([done.state, done.failed]).toEqual(["DONE", 0]);
    const { data } = (await inOwn.call("GET", "/contacts?limit=100&status=UNSUBSCRIBED")).body;
    expect(data.map(({ email }: any) => email).toSorted()).toEqual(["out@x.example", "spam@x.example"]);
  });

  test("such a file needs a status for the others", async () => {
    const refused = await upload(inOwn, "/imports", "email,unsubscribed_at\nin@x.example,\n");
    expect([refused.status, refused.body.error.message]).toEqual([
      422,
      expect.stringContaining("says who left, but not what the others are"),
    ]);
  });

  test("also by a column of any name that the mapping makes one, beside a status that says otherwise", async () => {
    const file = "email,status,raus\nin@x.example,SUBSCRIBED,\nout@x.example,SUBSCRIBED,x\n";
    expect(await statusesOf(inOwn, file, { mapping: { raus: "unsubscribed" } })).toEqual({
      in: "SUBSCRIBED",
      out: OUT,
    });
  });

  test("nor is a yes forgotten because another column of the row says no, or nothing that can be read", async () => {
    const file =
      "email,subscribed,unsubscribed,bounced\ndead@x.example,perhaps,no,yes\nout@x.example,yes,yes,no\n";
    expect(await statusesOf(inOwn, file, SUBSCRIBED)).toEqual({ dead: "BOUNCED", out: OUT });
  });
});

describe("an opt-out counts, whatever else is wrong with its row", () => {
  const tooMany = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`c${i}`, "x"]));
  const LONG = "x".repeat(101);
  const CASES: [what: string, header: string, cells: string, options: object, says: RegExp][] = [
    ["a tag that is too long", "tags", LONG, {}, /100 characters/],
    ["a name that is too long", "firstName", "x".repeat(300), {}, /characters/],
    ["a time of consent that is none", "consentAt", "last May", {}, /time of consent/],
    ["an attribute that is too long", "attributes.note", "x".repeat(5_000), {}, /attributes.note/],
    [
      "too many attributes",
      Object.keys(tooMany).join(),
      Object.values(tooMany).join(),
      { unknownColumns: "attributes" },
      /at most 100/,
    ],
    ["a letter in another encoding", "firstName", "J\xfcrgen", {}, /encoding/],
  ];
  // Mostly UTF-8, so that one broken letter is a broken letter.
  const bytesOf = (text: string): Uint8Array =>
    Buffer.concat(
      text.split("\xfc").flatMap((part, i) => [Buffer.from(i === 0 ? [] : [0xfc]), Buffer.from(part)]),
    );

  test.each(CASES)("%s", async (_, header, cells, options, says) => {
    const agreed = { email: "out@x.example", status: "SUBSCRIBED", firstName: "Ada", tags: ["vip"] };
    for (const given of [
      { word: "UNSUBSCRIBED", existing: "update" },
      { word: "BOUNCED", existing: "keep" },
    ]) {
      const own = await inNewWorkspace(api);
      await own.call("POST", "/contacts", agreed);
      const rows = ["é", "é", "é"].map(
        (name, i) => `p${i}@x.example,PENDING,${name}${",".repeat(cells.split(",").length)}`,
      );
      const file = bytesOf(
        `email,status,other,${header}\nout@x.example,${given.word},,${cells}\nbad@x.example,SUBSCRIBED,,${cells}\n${rows.join("\n")}\n`,
      );
      const done = await imported(own, file, { ...options, existing: given.existing });
      expect(done).toMatchObject({ rows: 5, updated: 1, created: 3, failed: 1 });
      const all = await peopleOf(own);
      expect(all["out@x.example"]).toMatchObject({ ...agreed, status: given.word });
      expect(all["bad@x.example"]).toBeUndefined();
      const said = await errorsOf(own, done.id);
      expect(said.at(-1)).toEqual([3, expect.stringMatching(says)]);
      // Of who is kept the other cells are not written: nothing is wrong with them.
      if (given.existing === "keep") {
        expect(said).toHaveLength(1);
        continue;
      }
      expect(said[0]).toEqual([
        2,
        expect.stringContaining(`${given.word}, without what is wrong in the row: `),
      ]);
      expect(said[0]?.[1]).toMatch(says);
    }
  });

  test("but not where nobody knows whose it is, or what it says", async () => {
    const file =
      "email,status,tags\nnobody,UNSUBSCRIBED,\nout@x.example,UNSUBSCRIPED,\nout@x.example,UNSUBSCRIBED,a,b\n";
    expect(await imported(inOwn, file)).toMatchObject({ rows: 3, failed: 3 });
  });
});
