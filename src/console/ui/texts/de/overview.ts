import type { Texts } from "../en/index.ts";

export const overview: Texts["overview"] = {
  title: "Übersicht",
  lastDays: "Die letzten 30 Tage",
  newContacts: "Neue Kontakte",
  delivered: "Zugestellt",
  opened: "Geöffnet, von Zugestellten",
  left: "Abgemeldet",
  joined: "Dazugekommen",
  mailPlot: "Zugestellt je Tag",
  audiencePlot: "Dazugekommen und abgemeldet je Tag",
  needsYou: "Braucht Sie",
  look: "Ansehen",
  underWay: "Unterwegs",
  sentOf: (done, planned) => `${done} von ${planned}`,
  progressOf: (name) => `Wie weit ${name} ist`,
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
