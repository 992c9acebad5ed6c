import type { Texts } from "../en/index.ts";

export const scoring: Texts["scoring"] = {
  title: "Punkte",
  says: "Kontakte bekommen Punkte für Ereignisse, die Ihre Programme senden. Segmente und Automationen können diese Punkte verwenden.",
  event: "Ereignis",
  points: "Punkte",
  actions: "Aktionen",
  add: "Regel hinzufügen",
  remove: "Entfernen",
  removed: (event) => `${event} gibt keine Punkte mehr.`,
  none: "Noch keine Regeln.",
};
