import type { Texts } from "../en/index.ts";

export const people: Texts["people"] = {
  title: "Personen und Rollen",
  says: "Wer sich in diesem Arbeitsbereich anmelden darf, und mit welchen Rechten.",
  invite: "Jemanden einladen",
  makeLink: "Link erstellen",
  email: "E-Mail-Adresse",
  role: "Rolle",
  roles: {
    owner: "Alles, auch Personen, Schlüssel und Einstellungen.",
    editor: "Alles außer Personen, Schlüsseln und Einstellungen.",
    viewer: "Sieht alles, ändert nichts und exportiert nichts.",
  },
  link: "Link",
  linkSays:
    "Es wurde nichts gesendet. Geben Sie den Link selbst weiter: Er gilt einmal, 7 Tage lang, und wird nie wieder gezeigt.",
  forgotten:
    "Jemand hat das Passwort vergessen? Entfernen Sie die Person, und laden Sie sie noch einmal ein. Ist sie auch in anderen Arbeitsbereichen, macht ihr, wer den Server betreibt, mit „postrider user reset“ einen Link.",
  lastSeen: "Zuletzt hier",
  never: "Noch nicht",
  actions: "Aktionen",
  remove: "Entfernen",
  removeTitle: "Diese Person entfernen",
  removeSays: "Sie ist sofort aus diesem Arbeitsbereich abgemeldet. Was sie angelegt hat, bleibt.",
  none: "Noch niemand.",
};
