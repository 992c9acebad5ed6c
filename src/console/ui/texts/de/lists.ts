import { counted } from "../counted.ts";
import type { Texts } from "../en/index.ts";

export const lists: Texts["lists"] = {
  title: "Listen",
  says: "Leute, denen Sie gemeinsam schreiben. Eine Kampagne geht an eine Liste, ein Segment oder beides.",
  create: "Liste anlegen",
  name: "Name",
  nameMissing: "Eine Liste braucht einen Namen.",
  noneYet: "Es gibt noch keine Liste. Legen Sie hier eine an.",
  firstName: "Name der Liste",
  empty: "Noch keine Listen",
  emptySays: "Auf einer Liste stehen die Leute, die dasselbe wollten, etwa Ihren Newsletter.",
  search: "Listen suchen",
  notFound: "Keine Liste heißt so",
  notFoundSays: "Geben Sie weniger Buchstaben ein, oder einen anderen Teil des Namens.",
  showAll: "Alle Listen zeigen",
  members: "Personen",
  created: "Angelegt",
  isPublic: "Öffentlich",
  readers: "Was Leser sehen",
  publicSays: "Leser finden sie auf ihrer Einstellungsseite und können dort beitreten und austreten.",
  publicName: "Name für Leser",
  publicNameSays: (name) => `Leer: ${name}`,
  description: "Worum es geht",
  nobodySays:
    "Leute kommen aus einer Datei auf die Liste, über ein Formular dieser Liste, oder aus den Kontakten: dort auswählen, dann „Tag / Liste“.",
  writeTo: "Alle anschreiben",
  seePeople: (n) => `${counted(n, "Person", "Personen")} ansehen`,
  delete: "Diese Liste löschen",
  deleteTitle: (name) => `${name} löschen?`,
  deleteSays:
    "Die Personen bleiben; nur die Liste wird gelöscht. Eine Kampagne, die nur für diese Liste geplant ist, wird wieder ein Entwurf. Das lässt sich nicht rückgängig machen.",
};
