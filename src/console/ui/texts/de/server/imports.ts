import type { Said } from "../../server-words.ts";

/** Of files that are imported. */
export const imports: readonly Said[] = [
  [
    "The mapping names the columns {}, which are not there. There are {}.",
    "Zugeordnet sind die Spalten {1}, die es nicht gibt. Es gibt {2}.",
  ],
  [
    "The types name the columns {}, which are not there. There are {}.",
    "Ein Typ ist für die Spalten {1} gewählt, die es nicht gibt. Es gibt {2}.",
  ],
  ["The column {} is there twice: leave one out.", "Die Spalte {1} ist zweimal da: Lassen Sie eine weg."],
  [
    "The first row is a person. It has to name the columns, such as email and name: put such a row on top.",
    "Die erste Zeile ist eine Person. Sie muss die Spalten benennen, etwa E-Mail und Name: Setzen Sie eine solche Zeile davor.",
  ],
  [
    "The first row is a single cell with all names in it, {}: a spreadsheet has opened the file with another sign between cells. Split the column (in Excel: Data, Text to Columns), or export the file again.",
    "In der ersten Zeile stehen alle Namen in einer einzigen Zelle, {1}: Eine Tabellenkalkulation hat die Datei mit einem anderen Trennzeichen geöffnet. Teilen Sie die Spalte auf (in Excel: Daten, Text in Spalten), oder exportieren Sie die Datei neu.",
  ],
  [
    "The first row has no column email. It has {}: say with `mapping` (--map) which one holds the addresses.",
    "In der ersten Zeile ist keine Spalte für E-Mail-Adressen. Dort steht {1}: Sagen Sie, welche die Adressen hat.",
  ],
  [
    "The file has no status column: say with `status` (--status) what these people are, SUBSCRIBED if they agreed to marketing mail.",
    "Die Datei hat keine Spalte für den Status: Sagen Sie, wie diese Leute zugestimmt haben.",
  ],
  [
    "The file says who left, but not what the others are: say it with `status` (--status), SUBSCRIBED if they agreed to marketing mail.",
    "Die Datei sagt, wer sich abgemeldet hat, aber nichts von den anderen: Sagen Sie, wie diese Leute zugestimmt haben.",
  ],
  [
    "By its name this is Mailchimp's file of people who never agreed to marketing mail: leave it out, or import it with the `status` (--status) PENDING.",
    "Dem Namen nach sind das in Mailchimp Leute, die Werbemails nie zugestimmt haben: Lassen Sie die Datei weg, oder wählen Sie, dass Sie es nicht wissen.",
  ],
  [
    "`encoding`: the file has one that cannot be recognized. Name it (--encoding), such as windows-1250, or save the file as CSV in UTF-8.",
    "Die Zeichenkodierung der Datei ist nicht zu erkennen: Wählen Sie sie hier, oder speichern Sie die Datei als CSV in UTF-8.",
  ],
  [
    "The file is in UTF-32: save it as CSV in UTF-8.",
    "Die Datei ist in UTF-32: Speichern Sie sie als CSV in UTF-8.",
  ],
  [
    "This is a workbook or an archive (XLSX, ODS, ZIP), no CSV: save the sheet as CSV, or unpack it and import each file.",
    "Das ist eine Arbeitsmappe oder ein Archiv (XLSX, ODS, ZIP), keine CSV-Datei: Speichern Sie das Blatt als CSV, oder entpacken Sie das Archiv und importieren Sie jede Datei.",
  ],
  [
    "This is an old workbook (XLS), no CSV: save the sheet as CSV.",
    "Das ist eine alte Arbeitsmappe (XLS), keine CSV-Datei: Speichern Sie das Blatt als CSV.",
  ],
  [
    "This is a PDF, no CSV: export the contacts as CSV.",
    "Das ist ein PDF, keine CSV-Datei: Exportieren Sie die Kontakte als CSV.",
  ],
  [
    "This is an archive (GZIP), no CSV: unpack it, and import the file that is in it.",
    "Das ist ein Archiv (GZIP), keine CSV-Datei: Entpacken Sie es, und importieren Sie die Datei darin.",
  ],
  [
    "This is a page (HTML or XML), no CSV: export the contacts as CSV. Where a download fails, its error may be a page.",
    "Das ist eine Seite (HTML oder XML), keine CSV-Datei: Exportieren Sie die Kontakte als CSV. Scheitert ein Download, kann sein Fehler eine Seite sein.",
  ],
  [
    "This is JSON, no CSV: export the contacts as CSV, or send them to `POST /contacts/bulk`.",
    "Das ist JSON, keine CSV-Datei: Exportieren Sie die Kontakte als CSV.",
  ],
  [
    "The file is empty: its first row must name the columns.",
    "Die Datei ist leer: Ihre erste Zeile muss die Spalten benennen.",
  ],
  [
    "the row has no status: fill it in, or give one for the whole file",
    "die Zeile hat keinen Status: Tragen Sie einen ein, oder wählen Sie einen für alle solchen Zeilen",
  ],
  [
    "the column {} is empty, so nobody knows whether this person left: fill it in, or add a column status",
    "die Spalte {1} ist leer, also weiß niemand, ob sich diese Person abgemeldet hat: Füllen Sie sie aus, oder ergänzen Sie eine Spalte status",
  ],
  [
    "the row has {} cells for {} columns: put cells with delimiters in double quotes",
    "die Zeile hat {1} Zellen für {2} Spalten: Setzen Sie Zellen, in denen Trennzeichen stehen, in doppelte Anführungszeichen",
  ],
  [
    "the time of consent {} is no date such as 2026-11-21 or 2026-11-21T09:30:00Z; another order of day and month is named (`types`, --type)",
    "der Zeitpunkt der Zustimmung {1} ist kein Datum wie 2026-11-21 oder 2026-11-21T09:30:00Z; eine andere Reihenfolge von Tag und Monat wird bei der Spalte gewählt",
  ],
  ["the time of consent {} lies in the future", "der Zeitpunkt der Zustimmung {1} liegt in der Zukunft"],
  ["the attributes are no JSON object", "die Merkmale sind kein JSON-Objekt"],
  ["The first row must name the columns: {}", "Die erste Zeile muss die Spalten benennen: <1>"],
  [
    "the line is longer than {} MiB: it was left out",
    "die Zeile ist länger als {1} MiB: Sie wurde ausgelassen",
  ],
  [
    "the line has more than {} cells: it was left out",
    "die Zeile hat mehr als {1} Zellen: Sie wurde ausgelassen",
  ],
  [
    "a quote opens here and is never closed: nothing behind it could be read",
    "hier öffnet ein Anführungszeichen und schließt nie: Was dahinter steht, war nicht zu lesen",
  ],
  [
    "the row is not written as CSV: put cells with delimiters or quotes in double quotes, and double the quotes inside",
    "die Zeile ist kein CSV: Setzen Sie Zellen, in denen Trennzeichen oder Anführungszeichen stehen, in doppelte Anführungszeichen, und verdoppeln Sie die darin",
  ],
  [
    "The types name the columns {}, which become no attribute and no time of consent: say with `mapping` (--map) or `unknownColumns` (--unknown-columns) that they do, or name no type.",
    "Ein Typ ist für die Spalten {1} gewählt, die weder Merkmal noch Zeitpunkt einer Zustimmung werden: Wählen Sie das, oder keinen Typ.",
  ],
  [
    "imported with {} as text: {} is no number such as {}",
    "importiert mit {1} als Text: {2} ist keine Zahl wie {3}",
  ],
  [
    "imported with {} as text: {} is no date such as {}",
    "importiert mit {1} als Text: {2} ist kein Datum wie {3}",
  ],
  [
    "imported with {} as text: {} is neither yes nor no",
    "importiert mit {1} als Text: {2} heißt weder ja noch nein",
  ],
  [
    "imported without the attributes {}: nested, too long, or no name of an attribute",
    "importiert ohne die Merkmale {1}: verschachtelt, zu lang, oder kein Name eines Merkmals",
  ],
  ["and {} more", "und {1} weitere"],
];
