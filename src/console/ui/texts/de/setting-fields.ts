import type { Texts } from "../en/index.ts";

export const fields: Texts["settings"]["fields"] = {
  name: {
    label: "Name",
    says: "Ihres Newsletters, Ladens oder Ihrer Firma. Leser sehen ihn unter jedem Brief.",
  },
  mailingAddress: {
    label: "Postanschrift",
    says: "Sie steht am Ende jeder Kampagne; viele Länder verlangen das.",
  },
  timezone: { label: "Zeitzone", says: "Für Ruhezeiten, Termine und Tageszahlen." },
  language: { label: "Sprache Ihrer Leser", says: "Auf Anmeldeseiten und unter Ihren E-Mails." },
  brandColor: { label: "Farbe", says: "Von Knöpfen und Links auf Anmeldeseiten." },
  logoUrl: { label: "Logo", says: "Die https-Adresse eines Bildes, für Anmeldeseiten und Bestätigungen." },
  fromName: { label: "Name des Absenders", says: "Was Leser im Posteingang zuerst sehen." },
  fromEmail: { label: "Adresse des Absenders", says: "Bei einer eigenen Domain: Ihr DNS muss es erlauben." },
  replyTo: { label: "Antworten gehen an", says: "Leer: an die Adresse des Absenders." },
  senderDomains: {
    label: "Weitere Absender-Domains",
    says: "Kampagnen dürfen auch Absender bei diesen Domains haben.",
  },
  smtpUrl: {
    label: "Relay dieses Arbeitsbereichs",
    says: "Leer: das Relay dieses Postriders. Das Passwort wird nie wieder gezeigt.",
  },
  bounceDomain: { label: "Domain für Berichte", says: "Leer: Berichte gehen an die Adresse des Absenders." },
  bounceMailbox: {
    label: "Postfach für Berichte",
    says: "Postrider liest die Berichte darin und verschiebt sie in einen Ordner (mit POP3 löscht er sie).",
  },
  inboundComplaints: {
    label: "Beschwerden lesen",
    says: "E-Mails an abuse@ und fbl@ der Domain für Berichte.",
  },
  sending: {
    label: "E-Mails verschicken",
    says: "Aus: Nichts wird gesendet, bis Sie es wieder einschalten. Nichts geht verloren.",
  },
  autoPause: {
    label: "Automatisch anhalten",
    says: "Kampagnen halten an, wenn in der letzten Woche zu viel unzustellbar war oder zu viele sich beschwerten.",
  },
  quietHours: {
    label: "Ruhezeiten",
    says: "In diesen Stunden beginnt keine Kampagne und Automationen warten, in der Zeitzone des Arbeitsbereichs.",
  },
  dailyCap: {
    label: "Kampagnen-E-Mails am Tag, höchstens",
    says: "Ein Versand, der darüber läge, wird abgelehnt. Leer: keine Grenze.",
  },
  domainLimits: {
    label: "Grenzen je Anbieter",
    says: "Die Domains eines Anbieters teilen sich ihre Grenze. Wer „zu schnell“ meldet, wird automatisch gebremst.",
  },
  warmUp: {
    label: "Aufwärmen eines neuen Absenders",
    says: "Anbieter misstrauen einem neuen Absender, der mit Hunderttausend anfängt. Kampagnen senden erst wenig und jeden Tag mehr.",
  },
  doubleOptIn: {
    label: "Bestätigung per E-Mail (Double-Opt-in)",
    says: "Wer sich einträgt, bekommt erst E-Mails, wenn er dem Link in einer Bestätigungsmail gefolgt ist.",
  },
  allowedOrigins: {
    label: "Seiten mit Ihren Formularen",
    says: "Nur diese dürfen Formulare absenden, eine je Zeile. Leer: alle.",
  },
  trackOpens: {
    label: "Öffnungen zählen",
    says: "Mit einem unsichtbaren Bild. Manche Programme laden es für alle.",
  },
  trackClicks: { label: "Klicks zählen", says: "Links führen über diesen Postrider." },
};
