import type { Texts } from "../en/index.ts";

export const backups: Texts["backups"] = {
  title: "Sicherungen",
  says: "Eine Kopie von allem auf diesem Server: alle Arbeitsbereiche, Personen und Nachrichten, und die Bilder. Die letzten drei bleiben auf der Platte des Servers. Laden Sie sie herunter, und bewahren Sie sie anderswo auf.",
  elsewhere:
    "Die Daten dieses Servers sind in PostgreSQL. Sichern Sie sie mit dessen eigenen Mitteln: mit pg_dump, oder mit einer Basissicherung samt Protokoll.",
  elsewhereKeep:
    "Auch die Bilder und Dateien, die auf ihren Import warten, sind in der Datenbank. Nach dem Zurückspielen warten alle E-Mails, bis Sie sie freigeben.",
  make: "Sicherung erstellen",
  running: "Eine Sicherung wird erstellt",
  copied: (share) => `${share} kopiert. Sie können diese Seite verlassen.`,
  failed: "Es wurde keine Sicherung erstellt",
  noneTitle: "Noch keine Sicherung",
  noneSays: "Sie dauert Sekunden bis Minuten. Alles andere läuft weiter.",
  made: "Erstellt",
  size: "Größe",
  megabytes: (number) => `${number} MB`,
  actions: "Aktionen",
  download: "Herunterladen",
  downloadIt: (made) => `Sicherung vom ${made} herunterladen`,
  downloadTitle: "Diese Sicherung herunterladen?",
  downloadSays:
    "Die Datei enthält die Adressen aller Kontakte und das Geheimnis, mit dem Links signiert werden. Geben Sie Ihr Passwort ein, um sie herunterzuladen.",
  begun: "Der Download hat begonnen.",
  remove: "Löschen",
  removeIt: (made) => `Sicherung vom ${made} löschen`,
  removeTitle: "Diese Sicherung löschen?",
  removeSays: "Das lässt sich nicht rückgängig machen. Geben Sie die Uhrzeit ein, zu der sie erstellt wurde.",
};
