import type { Said } from "../../server-words.ts";

/** Of backups. */
export const backups: readonly Said[] = [
  [
    "The data is in PostgreSQL: back it up by its own means, such as pg_dump.",
    "Die Daten liegen in PostgreSQL: Sichern Sie sie mit dessen Mitteln, zum Beispiel mit pg_dump.",
  ],
  [
    "The disk is full: a backup takes as much room as the database. Make room, or delete an old backup.",
    "Der Datenträger ist voll: Eine Sicherung braucht so viel Platz wie die Datenbank. Schaffen Sie Platz, oder löschen Sie eine alte.",
  ],
  [
    "There is no room for a backup: it needs {} MiB ({} for the copy, {} to spare), and {} MiB are free. Make room, or delete an old backup.",
    "Für eine Sicherung ist kein Platz: Sie braucht {1} MiB ({2} für die Kopie, {3} als Reserve), und {4} MiB sind frei. Schaffen Sie Platz, oder löschen Sie eine alte.",
  ],
  [
    "The copy did not pass its check, so the database may be damaged: run `postrider doctor`.",
    "Die Kopie bestand ihre Prüfung nicht, also ist vielleicht die Datenbank beschädigt: Führen Sie `postrider doctor` aus.",
  ],
  [
    "The copy could not be made: the server's log says why.",
    "Die Kopie ließ sich nicht erstellen: Den Grund nennt das Log des Servers.",
  ],
  [
    "A backup is being made already. Wait until it is done.",
    "Es wird schon gesichert. Warten Sie, bis es fertig ist.",
  ],
  [
    "The server ended before the backup was whole.",
    "Der Server endete, bevor die Sicherung vollständig war.",
  ],
  [
    "The backup is being made: wait until it is done.",
    "Die Sicherung wird noch erstellt: Warten Sie, bis sie fertig ist.",
  ],
  ["The backup is {}, not DONE.", "Die Sicherung ist nicht fertig ({1})."],
  [
    "A backup holds every workspace of this server: only somebody who owns all of them may ask for it.",
    "Eine Sicherung enthält alle Arbeitsbereiche dieses Servers: Nur wer Inhaber von allen ist, darf sie verlangen.",
  ],
  [
    "Give your password first: `POST /backups/{}/unlock`. It holds five minutes.",
    "Geben Sie zuerst Ihr Passwort ein. Es gilt fünf Minuten.",
  ],
];
