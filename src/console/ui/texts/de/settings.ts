import type { Texts } from "../en/index.ts";
import { fields } from "./setting-fields.ts";

export const settings: Texts["settings"] = {
  title: "Einstellungen",
  ownersOnly: "Nur Inhaber ändern diese.",
  sections: {
    workspace: "Arbeitsbereich",
    senders: "Absender und DNS",
    relay: "Relay und Rückläufer",
    limits: "Zeiten und Grenzen",
    signups: "Anmeldung und Zählung",
    people: "Personen und Rollen",
    keys: "API-Schlüssel",
    webhooks: "Webhooks",
    suppressions: "Nie anschreiben",
    scoring: "Punkte",
    backups: "Sicherungen",
    servers: "Server",
    account: "Ihr Konto",
  },
  unreadableLimit: (line) => `Diese Zeile ist nicht lesbar: ${line}`,
  says: {
    workspace: "Woran Leser Sie erkennen: auf Seiten und am Ende jeder E-Mail.",
    senders: "Von wem E-Mails kommen.",
    relay: "E-Mails gehen über das Relay dieses Postriders, wenn der Arbeitsbereich kein eigenes hat.",
    limits: "Wann Kampagnen hinausgehen, wie viel davon, und was sie anhält.",
    signups: "Wie Leute dazukommen, und was von ihrem Tun gezählt wird.",
  },
  captured:
    "Dieser Postrider hat kein Relay: E-Mails werden abgefangen, und Sie lesen sie im Postfach. Sonst bekommt sie niemand.",
  fields,
  checks: "Was Postfach-Anbieter sehen",
  checksSay: "Wird geprüft, solange Sie hinsehen; Änderungen im DNS können eine Stunde brauchen.",
  levels: { ok: "In Ordnung", warning: "Ansehen", problem: "Problem" },
  recordType: "Typ",
  recordName: "Name",
  recordValue: "Wert",
  reports: "Berichte über unzustellbare E-Mails",
  reportsSay:
    "Postfach-Anbieter melden Adressen, die es nicht mehr gibt, und Leute, die sich beschweren. Postrider schreibt sie nicht mehr an.",
  test: {
    title: "Ausprobieren",
    says: "Eine Nachricht, jetzt gesendet, damit Sie sehen, dass sie ankommt.",
    to: "Test senden an",
    send: "Test senden",
    sent: (to) => `Das Relay hat die Nachricht an ${to} angenommen.`,
    captured: (to) => `Die Nachricht an ${to} wurde abgefangen.`,
    read: "Im Postfach lesen",
    subject: "Ein Test Ihres Postriders",
    body: "Es funktioniert: Diese Nachricht ging über das Relay Ihres Postriders.\n",
  },
};
