import type { Texts } from "../en/index.ts";

export const servers: Texts["servers"] = {
  title: "Server",
  says: "Die Server, die sich dieses PostgreSQL und die Arbeit des Versands teilen. Einer, der geendet hat, steht noch einen Tag hier; die anderen machen mit dem weiter, was er hatte.",
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
