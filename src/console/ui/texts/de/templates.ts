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
    `„${name}“ geht. Kampagnen daraus behalten ihren Brief; E-Mails über die API mit ihrer Kennung werden von da an abgelehnt.`,
  variables: "Werte für die Vorschau",
  variablesSays: "Als JSON: was eine Anfrage mitgäbe. Namen, die hier fehlen, bleiben leer.",
  notJson: "Das ist noch kein JSON-Objekt.",
  viewer:
    "Sie können diese Vorlage ansehen. Um sie zu ändern, brauchen Sie die Rolle „Bearbeiter“. Fragen Sie einen Inhaber.",
};
