import type { Texts } from "../en/index.ts";

export const scoring: Texts["scoring"] = {
  title: "Punkte",
  says: "Kontakte verdienen Punkte durch Ereignisse, die Ihre eigenen Programme senden. Segmente und Automationen können danach fragen.",
  event: "Ereignis",
  points: "Punkte",
  actions: "Aktionen",
  add: "Regel hinzufügen",
  remove: "Entfernen",
  removed: (event) => `${event} gibt keine Punkte mehr.`,
  none: "Noch keine Regeln.",
};
