import { counted } from "../counted.ts";
import type { Texts } from "../en/index.ts";

export const segments: Texts["segments"] = {
  title: "Segmente",
  says: "Gespeicherte Suchen nach Kontakten. Wer dazugehört, wird jedes Mal neu ermittelt.",
  create: "Segment anlegen",
  empty: "Noch keine Segmente",
  emptySays:
    "Ein Segment findet Leute nach dem, was Sie von ihnen wissen: ihre Tags, was sie öffneten, was sie kauften.",
  name: "Name",
  people: "Personen",
  changed: "Geändert",
  newTitle: "Neues Segment",
  who: "Wer dazugehört",
  counting: "Wird gezählt …",
  unfinished: "Vervollständigen Sie die Bedingung: dann werden die Personen gezählt.",
  count: (total, subscribed) =>
    `${counted(total, "Person", "Personen")}, davon ${subscribed.shown} abonniert`,
  everybody: "Fügen Sie eine Bedingung hinzu: ein Segment braucht eine.",
  newest: "Die neuesten davon",
  nobody: "Im Augenblick niemand.",
  writeTo: "Alle anschreiben",
  seePeople: ({ shown }) => `Alle ${shown} ansehen`,
  uses: "Benutzt von",
  noUses: "Es wird nicht benutzt.",
  kinds: { segment: "Segment", campaign: "Kampagne" },
  unsaved: "Noch nicht gespeichert: Kampagnen verwenden noch das bisherige Segment.",
  unsavedNew: "Noch nicht angelegt. Der Entwurf bleibt auf diesem Gerät.",
  save: "Speichern",
  saveAs: "Anlegen",
  delete: "Dieses Segment löschen",
  deleteTitle: (name) => `${name} löschen?`,
  deleteSays: "Die Personen bleiben; nur das Segment wird gelöscht. Das lässt sich nicht rückgängig machen.",
  mayNotDelete: "Um es zu löschen, ändern oder löschen Sie zuerst, was es benutzt.",
};
