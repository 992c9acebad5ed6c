import type { Texts } from "../en/index.ts";

export const servers: Texts["servers"] = {
  title: "Server",
  says: "Die Server, die sich diese PostgreSQL-Datenbank und den Versand teilen. Ein beendeter Server steht noch einen Tag hier; die anderen übernehmen seine Arbeit.",
  name: "Server",
  named: (name, number) => `${name}, Lauf ${number}`,
  answered: (name) => `${name} (Sie sind hier)`,
  state: "Status",
  states: { LIVE: "Läuft", ENDED: "Beendet" },
  version: "Version",
  startedAt: "Gestartet",
  lastSeen: "Zuletzt gesehen",
  slices: "Teile von Kampagnen",
};
