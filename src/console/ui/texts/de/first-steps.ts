import type { Texts } from "../en/index.ts";

export const firstSteps: Texts["firstSteps"] = {
  title: "Erste Schritte",
  says: "Fünf Schritte bis zu Ihrer ersten Kampagne. Was Sie eingeben, wird laufend gespeichert.",
  done: "Erledigt",
  later: "Später",
  laterSays: "Für später: E-Mails werden hier abgefangen, bis ein Mailserver da ist, der sie verschickt.",
  steps: {
    identity: {
      title: "Sagen Sie, wer Sie sind",
      says: "Absender und Postanschrift, die jede Kampagne zeigt.",
    },
    relay: { title: "Prüfen Sie, ob E-Mails verschickt werden", says: "Senden Sie sich selbst einen Test." },
    dns: {
      title: "Richten Sie Ihre Domain ein",
      says: "Einträge, die Postfach-Anbieter prüfen, bevor sie Ihren E-Mails trauen.",
    },
    contacts: {
      title: "Holen Sie Ihre Leser dazu",
      says: "Importieren Sie eine Datei, oder tragen Sie die ersten von Hand ein.",
    },
    campaign: { title: "Senden Sie Ihre erste Kampagne", says: "Schreiben, ansehen, senden." },
  },
  doneBy: {
    owner: (role) => `Das macht ein Inhaber des Arbeitsbereichs. Sie sind hier ${role}.`,
    editor: (role) => `Das macht ein Bearbeiter oder Inhaber des Arbeitsbereichs. Sie sind hier ${role}.`,
  },
  noDns:
    "E-Mails werden hier abgefangen, also schlägt noch niemand diese Einträge nach. Sie werden geprüft, sobald es ein Relay gibt.",
  toContacts: "Von Hand eintragen",
  next: (step) => `Weiter: ${step}`,
  lacking: (fields) => `Es fehlt noch: ${fields}`,
  asItCame: (zone, language) =>
    `Zeiten gelten in ${zone}, und was unter Ihren Briefen steht, ist auf ${language}.`,
  take: (what) => `${what} übernehmen`,
  toCampaigns: "Zu den Kampagnen",
};
