/** The console says in German what the server says in English: refusals, problems, checks, histories. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { de } from "#console/ui/texts/de/index.ts";
import { SAID } from "#console/ui/texts/de/server/index.ts";
import { en } from "#console/ui/texts/en/index.ts";
import { SAID as SAID_PLAINLY } from "#console/ui/texts/en/server.ts";
import { SETTINGS } from "#workspaces/settings/setting-table.ts";
import { serverSaid } from "../../support/house/server-sentences.ts";

const { fromServer } = de;

describe("a sentence of the server", () => {
  test("is in the German catalogue (src/console/ui/texts/de/server), each of them", async () => {
    const known = new Set(SAID.map(([english]) => english));
    const { sentences } = await serverSaid();
    expect(sentences.size).toBeGreaterThan(300);
    expect([...sentences].filter(([text]) => !known.has(text) && fromServer(text) === text)).toEqual([]);
  });

  test("of a person's history is put together from parts that the catalogue knows", async () => {
    const all = SAID.map(([english]) => english).join("\n");
    const { parts } = await serverSaid();
    expect(parts.size).toBeGreaterThan(20);
    const words = [...parts].flatMap((part) => part.split("{}")).map((word) => word.trim());
    expect(words.filter((word) => !all.includes(word))).toEqual([]);
  });

  test("is there once, and what differs in it is not lost", () => {
    const all = SAID.map(([english]) => english);
    expect(all.filter((english, at) => all.indexOf(english) !== at)).toEqual([]);
    const holes = (text: string): number => text.split("{}").length - 1;
    const wrong = SAID.filter(
      ([english, here]) =>
        here.includes("{}") ||
        [...here.matchAll(/[{<](\d)[}>]/g)].some(
          ([, number]) => Number(number) < 1 || Number(number) > holes(english),
        ),
    );
    expect(wrong).toEqual([]);
  });

  test.each(Object.entries(SETTINGS))("says in German what %s accepts", (key, { kind }) => {
    const said = fromServer(`\`${key}\` must be ${kind.json.accepts}.`);
    expect(said).toStartWith("Das geht hier nicht. Erlaubt: ");
    expect(said).not.toMatch(/\b(?:or empty|or null|such as|without|at most|of|the)\b/);
  });

  test.each([
    [
      'The body cannot be used in line 1, column 27: "Europe/Berln" is no time zone, such as Europe/Berlin.',
      'Nicht verwendbar (Brieftext, Zeile 1, Spalte 27): "Europe/Berln" ist keine Zeitzone wie Europe/Berlin.',
    ],
    [
      "The email address has no @. Give one like ada@example.com.",
      "Die E-Mail-Adresse hat kein @. Geben Sie eine an wie ada@example.com.",
    ],
    [
      'The tag "a. b: c" is longer than 100 characters. Shorten it.',
      'Das Tag "a. b: c" ist länger als 100 Zeichen. Kürzen Sie es.',
    ],
    [
      'the column "subscribed" may say who left, and "weekly" is neither a yes nor a no: write one, or say what the column becomes instead (`mapping`, --map \'subscribed=\')',
      'die Spalte "subscribed" sagt vielleicht, wer sich abgemeldet hat, und "weekly" ist weder ein Ja noch ein Nein: Schreiben Sie eines davon, oder wählen Sie, was die Spalte stattdessen wird',
    ],
    [
      'imported without "here", from where they agreed: it is no IP address',
      'importiert ohne "here", von wo zugestimmt wurde: Das ist keine IP-Adresse',
    ],
    [
      'the status "COMPLANT" is none that postrider writes',
      'der Status "COMPLANT" ist keiner, den postrider schreibt',
    ],
    [
      "the status \"Active\" is none of PENDING, SUBSCRIBED, UNSUBSCRIBED, BOUNCED: write one of them, or have the column read as another tool's (`mapping`, --map 'Status=subscribed')",
      'der Status "Active" ist keiner von PENDING, SUBSCRIBED, UNSUBSCRIBED, BOUNCED: Schreiben Sie einen davon, oder wählen Sie „Wer abonniert hat“ für die Spalte, wenn ein anderes Werkzeug sie schrieb',
    ],
    [
      'imported as UNSUBSCRIBED, without what is wrong in the row: the status "x" is none of PENDING',
      'importiert als UNSUBSCRIBED, ohne das, was in der Zeile nicht stimmt: der Status "x" ist keiner von PENDING',
    ],
    [
      'imported with born as text: "3.10.68" is no date such as 31.12.2026; imported with size as text: "1 m; wide" is no number such as 1.234,50; and 2 more (and 3 more rows like it)',
      'importiert mit born als Text: "3.10.68" ist kein Datum wie 31.12.2026; importiert mit size als Text: "1 m; wide" ist keine Zahl wie 1.234,50; und 2 weitere (und 3 weitere Zeilen wie diese)',
    ],
    [
      "`to`: The email address has no @. Give one like ada@example.com.",
      "An: Die E-Mail-Adresse hat kein @. Geben Sie eine an wie ada@example.com.",
    ],
    [
      "Only a LIVE automation can be paused; this one is PAUSED.",
      "Anhalten lässt sich nur eine Automation, die läuft; diese ist angehalten.",
    ],
    ["UNSUBSCRIBED contacts do not join lists.", "Wer abgemeldet ist, kommt auf keine Liste."],
    ["DKIM: mail is not signed here", "DKIM: hier werden E-Mails nicht signiert"],
    [
      "bounces and complaints: of the 8 messages of the last 7 days, 12.5% bounced and 0% were complained about",
      "Rückläufer und Beschwerden: von den 8 Nachrichten der letzten 7 Tage waren 12,5 % unzustellbar, und über 0 % gab es Beschwerden",
    ],
    [
      "bounces and complaints: one message went out in the last 7 days; bounces: 1, complaints: 0",
      "Rückläufer und Beschwerden: in den letzten 7 Tagen ging eine Nachricht hinaus; Rückläufer: 1, Beschwerden: 0",
    ],
    [
      "relay smtp://mail.example:587: no session, at CONNECT: refused",
      "Relay smtp://mail.example:587: keine Verbindung, bei CONNECT: refused",
    ],
    [
      "Campaign November letter was not sent: the send was stopped",
      "Kampagne November letter wurde nicht verschickt: der Versand wurde beendet",
    ],
    [
      "Not mailed: suppressed since 3 May 2025, by hand",
      "Keine E-Mails: gesperrt seit 3. Mai 2025, von Hand",
    ],
    [
      "The list lst_1 was not found in this workspace.",
      "Die Liste lst_1 gibt es in diesem Arbeitsbereich nicht.",
    ],
    [
      "Sending is turned off for this workspace. Turn on `sending` in its settings.",
      "Der Versand dieses Arbeitsbereichs ist ausgeschaltet. Schalten Sie ihn in den Einstellungen ein.",
    ],
    [
      "settings of ws_1: mailingAddress and fromEmail are not set: campaigns are refused",
      "Einstellungen: Postanschrift und Absenderadresse fehlen, also werden Kampagnen abgelehnt",
    ],
    [
      'The type "x" is not known: it must be trigger, wait, condition, action or end.',
      'Den Typ "x" gibt es nicht. Es gibt trigger, wait, condition, action und end.',
    ],
    [
      "The first row must name the columns: a quote opens here and is never closed: nothing behind it could be read",
      "Die erste Zeile muss die Spalten benennen: hier öffnet ein Anführungszeichen und schließt nie: Was dahinter steht, war nicht zu lesen",
    ],
    ["A sentence that nobody wrote yet.", "A sentence that nobody wrote yet."],
    ["", ""],
  ])("%s", (english, german) => {
    expect(fromServer(english)).toBe(german);
  });

  test.each([
    "the line is longer than 1 MiB: it was left out",
    "the line has more than 10000 cells: it was left out",
    "the row is not written as CSV: put cells with delimiters or quotes in double quotes, and double the quotes inside",
  ])("is in German too where a row of a file cannot be read: %s", (english) => {
    expect(fromServer(english)).toMatch(/^die Zeile /);
  });

  test("is in German in each of its parts, however many they are", () => {
    const [warning, words] = [
      "the line is longer than 1 MiB: it was left out",
      "die Zeile ist länger als 1 MiB",
    ];
    const said = fromServer(Array.from({ length: 40 }, () => warning).join("; "));
    expect(said.split("; ").filter((one) => one.startsWith(words)).length).toBe(40);
  });

  test("that is long and strange costs no time", () => {
    const strange = "{} `is` : . ".repeat(100_000);
    expect(fromServer(strange)).toBe(strange);
  });
});

describe("the English console says in plain words", () => {
  test("what the server really says, in words that are neither of the API nor of a program", () => {
    const known = SAID.map(([english]) => english);
    const startsLikeOne = (text: string): boolean =>
      known.includes(text) || known.some((other) => new RegExp(`^${shapeOf(other)}$`).test(text));
    expect(SAID_PLAINLY.map(([english]) => english).filter((text) => !startsLikeOne(text))).toEqual([]);
    expect(
      SAID_PLAINLY.filter(([, plain]) =>
        /`|\b(?:PATCH|POST|GET|DRAFT|LIVE|SUBSCRIBED|DONE)\b|--workspace/.test(plain),
      ),
    ).toEqual([]);
  });

  test.each([
    [
      "Nobody is left to mail: the campaign's list and segment have no SUBSCRIBED contact that is not excluded, suppressed or on a blocked domain.",
      "Nobody in this audience may be mailed: all of them are left out, suppressed, on a blocked domain or not subscribed.",
    ],
    [
      "settings of ws_1: mailingAddress and fromEmail are not set: campaigns are refused",
      "Settings: the postal address and the sender's address are missing, so campaigns are refused",
    ],
    ["`password` must have at least 10 characters.", "The password needs at least 10 characters."],
    [
      "Sending is turned off for this workspace. Turn on `sending` in its settings.",
      "Sending is turned off for this workspace. Turn it on again in the settings, under Hours and limits.",
    ],
    [
      "`fromEmail` must be one email address such as news@example.com.",
      "This must be one email address such as news@example.com.",
    ],
    [
      "`lastName` is longer than 200 characters. Shorten it.",
      "The last name is longer than 200 characters. Shorten it.",
    ],
    [
      "`body` has 2976000 bytes of UTF-8; at most 524288 are allowed.",
      "The letter has 2976000 bytes; at most 524288 are allowed. Pictures that stand in its source (data:) need most of them: upload them instead.",
    ],
    [
      "`lastName` must be one line without control characters. Take them out.",
      "The last name must be one line without control characters. Take them out.",
    ],
    [
      "`attributes.city` is longer than 1000 characters. Shorten it.",
      "“city” is longer than 1000 characters. Shorten it.",
    ],
    ["DKIM: mail is not signed here", "DKIM: mail is not signed here"],
    ["The list lst_1 was not found in this workspace.", "The list lst_1 was not found in this workspace."],
  ])("%s", (said, plain) => {
    expect(en.fromServer(said)).toBe(plain);
  });
});

/** A sentence of the catalogue as a pattern. */
const shapeOf = (english: string): string => english.split("{}").map(RegExp.escape).join(".+");

test("German speaks to people as Sie", () => {
  const folder = join(import.meta.dir, "../../../src/console/ui/texts/de");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const familiar =
    /\b(?:du|dich|dir|dein\w*|Nimm|Gib|Wähle?|Sag|Zieh|Füge|Schreib|Bring|Such|Prüfe|Lade|Speichere)\b/g;
  const found = files.flatMap((file) => {
    const words = readFileSync(join(folder, file), "utf8").match(familiar) ?? [];
    return words.map((word) => `${file}: ${word}`);
  });
  expect(found).toEqual([]);
});
