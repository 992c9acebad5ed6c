import type { Texts } from "../en/index.ts";

export const overview: Texts["overview"] = {
  title: "Übersicht",
  lastDays: "Die letzten 30 Tage",
  newContacts: "Neue Kontakte",
  sent: "Gesendet",
  opened: "Geöffnet",
  clicked: "Geklickt",
  left: "Abgemeldet",
  bounced: "Unzustellbar",
  campaigns: "Letzte Kampagnen",
  noCampaigns: "Noch keine Kampagnen",
  noCampaignsSays: "Was Sie senden, erscheint hier, und was daraus wurde.",
  states: {
    DRAFT: "Entwurf",
    SCHEDULED: "Geplant",
    SENT: "Gesendet",
  },
  columns: { name: "Name", state: "Stand", sent: "Gesendet", opened: "Geöffnet", when: "Wann" },
};
