/** The console says in German what the server says in English: refusals, problems, checks, histories. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { de } from "#console/ui/texts/de/index.ts";
import { SAID } from "#console/ui/texts/de/server/index.ts";
import { SETTINGS } from "#workspaces/setting-table.ts";
import { serverSaid } from "../support/server-sentences.ts";

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
    const wrong = SAID.filter(([english, here]) =>
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
      "The email address has no @. Give one like ada@example.com.",
      "Die E-Mail-Adresse hat kein @. Geben Sie eine an wie ada@example.com.",
    ],
    [
      'The tag "a. b: c" is longer than 100 characters. Shorten it.',
      'Das Tag "a. b: c" ist länger als 100 Zeichen. Kürzen Sie es.',
    ],
    ["DKIM: mail is not signed here", "DKIM: hier werden E-Mails nicht signiert"],
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
    ["A sentence that nobody wrote yet.", "A sentence that nobody wrote yet."],
    ["", ""],
  ])("%s", (english, german) => {
    expect(fromServer(english)).toBe(german);
  });

  test("that is long and strange costs no time", () => {
    const strange = "{} `is` : . ".repeat(100_000);
    expect(fromServer(strange)).toBe(strange);
  });
});

test("German speaks to people as Sie", () => {
  const folder = join(import.meta.dir, "../../src/console/ui/texts/de");
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
