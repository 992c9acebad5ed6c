/** docs/contract.md "Many at once": what a file is taken for, before it is imported. */
import { describe, expect, test } from "bun:test";
import { fixture, imported, peopleOf, upload, waitingFiles } from "../../support/people/imports.ts";
import { api, hasOwnWorkspaces, inOwn } from "../../support/people/own-workspaces.ts";

hasOwnWorkspaces();

const preview = async (file: string | Uint8Array) =>
  (await upload(inOwn, "/imports/preview", file)).body.data;

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
    expect([(await inOwn.call("GET", "/imports")).body.data, waitingFiles(api)]).toEqual([[], []]);
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
    [";", "utf-8", (text: string) => Buffer.from(`"sep=;"\r\n${text.replaceAll(",", ";")}`)],
    [";", "utf-8", (text: string) => Buffer.from(`sep=;\r\n${text.replaceAll(",", ";")}`)],
  ])("finds the delimiter %j and the encoding %s", async (delimiter, encoding, encode) => {
    const seen = await preview(encode("E-Mail,First name\r\nzoe@example.com,Zoé\r\n"));
    expect(seen).toMatchObject({ source: null, delimiter, encoding });
    expect(seen.columns).toEqual([
      { header: "E-Mail", samples: ["zoe@example.com"], suggested: "email" },
      { header: "First name", samples: ["Zoé"], suggested: "firstName" },
    ]);
  });

  test("understands a spreadsheet in another language, and the import does the same", async () => {
    const file = Buffer.from(
      "E-Mail-Adresse;Vorname;Nachname;Ort\r\nzoe@example.com;Zoé;Müller;Köln\r\n",
      "latin1",
    );
    const { source, columns } = await preview(file);
    expect([source, columns.map(({ suggested }: any) => suggested)]).toEqual([
      null,
      ["email", "firstName", "lastName", "attributes.Ort"],
    ]);
    const options = { status: "SUBSCRIBED", unknownColumns: "attributes" };
    expect(await imported(inOwn, file, options)).toMatchObject({ created: 1, failed: 0 });
    expect((await peopleOf(inOwn))["zoe@example.com"]).toMatchObject({
      firstName: "Zoé",
      lastName: "Müller",
      attributes: { Ort: "Köln" },
    });
  });

  test("needs only the beginning, and says so of a file that is none", async () => {
    const long = `email,firstName\n${"ada@example.com,Ada\n".repeat(200_000)}`;
    expect((await preview(long)).columns).toHaveLength(2);
    expect((await upload(inOwn, "/imports/preview", "")).status).toBe(422);
  });
});
