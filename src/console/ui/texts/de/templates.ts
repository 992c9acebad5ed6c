import type { Texts } from "../en/index.ts";

export const templates: Texts["templates"] = {
  title: "Vorlagen",
  new: "Neue Vorlage",
  none: "Noch keine Vorlagen",
  noneSays:
    "Eine Vorlage ist ein Brief, den Sie einmal schreiben und immer wieder verwenden: für Kampagnen und für E-Mails, die über die API verschickt werden.",
  newSays: "Geben Sie ihr einen Namen, und wählen Sie, wie Sie anfangen.",
  subject: "Betreff",
  firstSubject: "Betreff",
  nameMissing: "Eine Vorlage braucht einen Namen.",
  subjectMissing: "Eine Vorlage braucht einen Betreff.",
  create: "Vorlage anlegen",
  columns: { name: "Vorlage", format: "Geschrieben in", changed: "Geändert" },
  use: "In einer Kampagne verwenden",
  remove: "Löschen",
  removeTitle: "Diese Vorlage löschen?",
  removeSays: (name: string) =>
    `„${name}“ wird gelöscht. Kampagnen daraus behalten ihren Brief. E-Mails, die ein Programm mit ihrer Kennung sendet, werden dann abgelehnt.`,
  variables: "Werte für die Vorschau",
  variablesSays: "Als JSON: was ein Programm mitsenden würde. Namen, die hier fehlen, bleiben leer.",
  notJson: 'Das ist noch kein JSON-Objekt. Schreiben Sie eines, etwa {"tarif": "gold"}.',
  viewer:
    "Sie können diese Vorlage ansehen. Um sie zu ändern, brauchen Sie die Rolle „Bearbeiter“. Fragen Sie einen Inhaber.",
};
