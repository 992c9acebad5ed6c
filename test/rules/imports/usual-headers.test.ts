/** The words that people put over the columns of their own files, in the languages of the product. */
import { describe, expect, test } from "bun:test";
import { fieldText } from "#imports/rows/field.ts";
import type { ImportOptions } from "#imports/import-options.ts";
import { suggestColumns } from "#imports/rows/columns.ts";
import { costMs } from "../../support/common/cpu-time.ts";

const suggested = (headers: readonly string[]) => {
  const { source, fields } = suggestColumns(headers, { mapping: null, unknownColumns: "ignore" });
  expect(source).toBeNull();
  return fields.map((field) => field && fieldText(field));
};

const WHOLE = ["email", "firstName", "lastName"];

describe("a file with the usual headers is understood without a mapping", () => {
  test.each([
    ["de", "E-Mail;Vorname;Nachname"],
    ["de", "E-Mail-Adresse;Vorname;Familienname"],
    ["de", "Mailadresse;Vorname;Name"],
    ["de", "e-mail adresse;VORNAME;NACHNAME"],
    ["en", "Email address;First name;Surname"],
    ["en", "E-mail 1 - Value;Given Name;Family Name"],
    ["fr", "Adresse e-mail;Prénom;Nom"],
    ["fr", "Courriel;Prénom;Nom de famille"],
    ["fr", "adresse électronique;PRÉNOM;NOM"],
    ["es", "Correo electrónico;Nombre;Apellidos"],
    ["es", "Dirección de correo electrónico;Nombre;Apellido"],
    ["it", "Indirizzo e-mail;Nome;Cognome"],
    ["it", "Posta elettronica;Nome;Cognome"],
    ["pt", "Endereço de e-mail;Nome;Sobrenome"],
    ["pt", "Correio eletrónico;Nome;Apelido"],
    ["nl", "E-mailadres;Voornaam;Achternaam"],
    ["nl", "Mailadres;Voornaam;Naam"],
    ["pl", "Adres e-mail;Imię;Nazwisko"],
    ["pl", "adres_email;imie;nazwisko"],
  ])("%s: %s", (_, line) => {
    const headers = line.split(";");
    expect(suggested(headers)).toEqual(WHOLE);
    expect(suggested(headers.toReversed())).toEqual(WHOLE.toReversed());
    // As some programs write accents: a letter, and a mark behind it.
    expect(suggested(headers.map((header) => header.normalize("NFD")))).toEqual(WHOLE);
  });

  test("the address is called so where nothing else is: MailerLite's Subscriber", () => {
    expect(suggested(["Subscriber", "Name", "Last name"])).toEqual(["email", "name", "lastName"]);
    expect(suggested(["Subscriber", "Email"])).toEqual([null, "email"]);
  });

  test.each([
    "Name",
    "Vor- und Nachname",
    "Vollständiger Name",
    "Nom",
    "Nom et prénom",
    "Nombre",
    "Nombre y apellidos",
    "Nome",
    "Nome e cognome",
    "Nome completo",
    "Naam",
    "Volledige naam",
    "Imię i nazwisko",
    "Pełne imię i nazwisko",
  ])("one column with the whole name: %s", (header) => {
    expect(suggested(["E-Mail", header])).toEqual(["email", "name"]);
  });
});

test("of two columns for one field the first counts, and a header nobody knows is left alone", () => {
  expect(suggested(["E-Mail", "Email", "Vorname", "Rufname", "Vereinsname", "Nom de la rue"])).toEqual([
    "email",
    null,
    "firstName",
    null,
    null,
    null,
  ]);
});

test("our own names come first, wherever they stand", () => {
  expect(suggested(["Vorname", "E-Mail", "firstName", "email"])).toEqual([null, null, "firstName", "email"]);
});

test("a header of nothing but marks is read in time", async () => {
  const header = `a${"\u0315".repeat(12_000)}${"\u0300".repeat(12_000)}`;
  const suggest = () => suggestColumns(["E-Mail", header], { mapping: null, unknownColumns: "attributes" });
  expect(await costMs(suggest)).toBeLessThan(400);
  expect(suggest().fields.map((field) => field && fieldText(field))).toEqual(["email", "attributes.a"]);
});

describe("a mapping that only leaves columns out, or says who left, says nothing of the others", () => {
  const left = { kind: "unsubscribed" } as const;
  const fieldsOf = (headers: readonly string[], mapping: ImportOptions["mapping"]) => {
    const { fields, source } = suggestColumns(headers, { mapping, unknownColumns: "ignore" });
    return [source?.name ?? null, ...fields.map((field) => field && fieldText(field))];
  };

  test("so they are known by their usual names, beside those that stay", () => {
    const headers = ["E-Mail", "Vorname", "Name", "raus", "Disabled"];
    expect(fieldsOf(headers, { raus: left, Disabled: null })).toEqual([
      null,
      "email",
      "firstName",
      "lastName",
      "unsubscribed",
      null,
    ]);
    // What is left out gives nothing its meaning: this is the whole name.
    expect(fieldsOf(headers, { Vorname: null })).toEqual([null, "email", null, "name", null, "unsubscribed"]);
  });

  test("and a known tool is known, with its fields", () => {
    expect(fieldsOf(["EMAIL", "FIRSTNAME", "NOTES"], { NOTES: null })).toEqual([
      "brevo",
      "email",
      "firstName",
      null,
    ]);
  });

  test("but one that says what people are called is whole", () => {
    expect(fieldsOf(["Email", "Name", "Disabled"], { Name: { kind: "name" }, Disabled: null })).toEqual([
      null,
      null,
      "name",
      null,
    ]);
  });
});

test("beside a mapping nothing is guessed", () => {
  const options = { mapping: { Anschrift: { kind: "email" } as const }, unknownColumns: "ignore" } as const;
  const { fields } = suggestColumns(["Anschrift", "Vorname", "E-Mail"], options);
  expect(fields.map((field) => field && fieldText(field))).toEqual(["email", null, null]);
});
