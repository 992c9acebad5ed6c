import type { Texts } from "../en/index.ts";

export const firstSteps: Texts["firstSteps"] = {
  title: "Erste Schritte",
  says: "Fünf Dinge, und Ihre erste Kampagne ist unterwegs. Was Sie eingeben, wird laufend gespeichert.",
  done: "Erledigt",
  later: "Später",
  laterSays: "E-Mails werden hier abgefangen, und sonst bekommt sie niemand. Das kommt mit einem Relay.",
  steps: {
    identity: {
      title: "Sagen Sie, wer Sie sind",
      says: "Absender und Postanschrift, die jede Kampagne zeigt.",
    },
    relay: { title: "Sehen Sie, dass E-Mails hinausgehen", says: "Senden Sie sich selbst einen Test." },
    dns: {
      title: "Lassen Sie Ihre Domain für Sie bürgen",
      says: "Einträge, die Postfach-Anbieter nachschlagen, bevor sie Ihnen glauben.",
    },
    contacts: {
      title: "Bringen Sie Ihre Leser",
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
  toContacts: "Zu den Kontakten",
  toCampaigns: "Zu den Kampagnen",
};
