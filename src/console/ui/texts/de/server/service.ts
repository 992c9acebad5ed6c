import type { Said } from "../../server-words.ts";

/** Of webhooks, settings, requests and the database; and what many fields share. */
export const service: readonly Said[] = [
  ["`{}` has {} entries; at most {} are allowed.", "{1}: Das sind {2} Einträge; erlaubt sind höchstens {3}."],
  ["`{}[{}]` must be a string.", "{1}, Eintrag {2}, muss ein Text sein."],
  ["`{}[{}]` must be an object.", "{1}, Eintrag {2}, muss ein Objekt sein."],
  [
    "`firstName` is longer than {} characters. Shorten it.",
    "Der Vorname ist länger als {1} Zeichen. Kürzen Sie ihn.",
  ],
  [
    "`lastName` is longer than {} characters. Shorten it.",
    "Der Nachname ist länger als {1} Zeichen. Kürzen Sie ihn.",
  ],
  [
    "`name` is longer than {} characters. Shorten it.",
    "Der Name ist länger als {1} Zeichen. Kürzen Sie ihn.",
  ],
  [
    "`subject` is longer than {} characters. Shorten it.",
    "Der Betreff ist länger als {1} Zeichen. Kürzen Sie ihn.",
  ],
  [
    "`attributes.{}` is longer than {} characters. Shorten it.",
    "„{1}“ ist länger als {2} Zeichen. Kürzen Sie es.",
  ],
  ["`{}` is longer than {} characters. Shorten it.", "{1} ist länger als {2} Zeichen. Kürzen Sie es."],
  [
    "`firstName` must be one line without control characters. Take them out.",
    "Der Vorname muss eine Zeile ohne Steuerzeichen sein. Nehmen Sie sie heraus.",
  ],
  [
    "`lastName` must be one line without control characters. Take them out.",
    "Der Nachname muss eine Zeile ohne Steuerzeichen sein. Nehmen Sie sie heraus.",
  ],
  [
    "`name` must be one line without control characters. Take them out.",
    "Der Name muss eine Zeile ohne Steuerzeichen sein. Nehmen Sie sie heraus.",
  ],
  [
    "`{}` must be one line without control characters. Take them out.",
    "{1} muss eine Zeile ohne Steuerzeichen sein. Nehmen Sie sie heraus.",
  ],
  [
    "`{}` has a line break or another control character in it. Take it out.",
    "In {1} steht ein Zeilenumbruch oder ein anderes Steuerzeichen. Nehmen Sie es heraus.",
  ],
  ["`{}` must be an array.", "{1} muss eine Liste sein."],
  ["`{}` must be a string.", "{1} muss ein Text sein."],
  ["`{}` must be a string that is not empty.", "{1} darf nicht leer sein."],
  ["`{}` must not be empty.", "{1} darf nicht leer sein."],
  ["`{}` is missing.", "{1} fehlt."],
  ["`{}` is required.", "{1} fehlt."],
  [
    "`{}` has more than {} ids. Make one segment of them.",
    "{1} nennt mehr als {2}. Machen Sie ein Segment daraus.",
  ],
  [
    "`{}` has more than {} entries. Send less at once.",
    "{1} hat mehr als {2} Einträge. Schicken Sie weniger auf einmal.",
  ],
  ["`{}`: {}", "<1>: <2>"],
  ["to", "An"],
  ["fromEmail", "Absenderadresse"],
  ["replyTo", "Antwortadresse"],
  ["`status` must be one of {}.", "Der Status muss einer von diesen sein: {1}."],
  ["`state` must be one of {}.", "Der Status muss einer von diesen sein: {1}."],
  ["`reason` must be one of {}.", "Der Grund muss einer von diesen sein: {1}."],
  ["`action` must be one of {}.", "Die Aktion muss eine von diesen sein: {1}."],
  ["`scope` must be one of {}.", "Der Umfang muss einer von diesen sein: {1}."],
  ["`role` must be one of {}.", "Die Rolle muss eine von diesen sein: {1}."],
  ["`format` must be `html` or `mjml`.", "Das Format muss HTML oder MJML sein."],
  ["`name` is required.", "Der Name fehlt."],
  ["`name` is required and must be a string.", "Der Name fehlt."],
  ["`name` is required and must not be empty.", "Der Name fehlt."],
  ["`name` must not be empty.", "Der Name darf nicht leer sein."],
  ["`include` takes {}, not {}.", "`include` kennt {1}, nicht {2}."],
  ["{} takes {}, not {}.", "{1} kennt {2}, nicht {3}."],
  ["{} was not found in this workspace.", "<1> gibt es in diesem Arbeitsbereich nicht."],
  ["There is no route {}.", "Die Route {1} gibt es nicht."],
  ["There is no file {}.", "Die Datei {1} gibt es nicht."],
  ["This letter is not kept any more.", "Dieser Brief wird nicht mehr aufbewahrt."],
  ["The automation {}", "Die Automation {1}"],
  ["The campaign {}", "Die Kampagne {1}"],
  ["The contact {}", "Den Kontakt {1}"],
  ["The form {}", "Das Formular {1}"],
  ["The list {}", "Die Liste {1}"],
  ["The segment {}", "Das Segment {1}"],
  ["The template {}", "Die Vorlage {1}"],
  ["The webhook {}", "Den Webhook {1}"],
  ["The import {}", "Den Import {1}"],
  ["Fault in Postrider: there is no {}.", "Fehler in Postrider: {1} gibt es nicht."],
  ["The database cannot be written.", "In die Datenbank lässt sich nicht schreiben."],
  [
    "The database cannot be written: its disk is full. Make room; everything that waits goes on by itself.",
    "In die Datenbank lässt sich nicht schreiben: Der Datenträger ist voll. Schaffen Sie Platz; alles, was wartet, geht von selbst weiter.",
  ],
  [
    "The database cannot be written: another process keeps it locked. Try again in a moment.",
    "In die Datenbank lässt sich nicht schreiben: Ein anderer Prozess sperrt sie. Versuchen Sie es gleich noch einmal.",
  ],
  [
    "The database cannot be written: its file or its disk is read-only. Let the server write both, and start it again.",
    "In die Datenbank lässt sich nicht schreiben: Datei oder Datenträger sind schreibgeschützt. Geben Sie dem Server Schreibrechte auf beide, und starten Sie ihn neu.",
  ],
  [
    "The database cannot be written: its file was moved, removed or replaced. Put it back; everything that waits goes on by itself.",
    "In die Datenbank lässt sich nicht schreiben: Ihre Datei wurde verschoben, gelöscht oder ersetzt. Legen Sie sie zurück; alles, was wartet, geht von selbst weiter.",
  ],
  [
    "The database cannot be written: PostgreSQL is set read-only, or is a standby.",
    "In die Datenbank lässt sich nicht schreiben: PostgreSQL ist auf Nur-Lesen gestellt oder ein Standby.",
  ],
  [
    "The database stopped this, because it took too long. If PostgreSQL's statement_timeout is set, raise it for Postrider's role.",
    "Die Datenbank hat das abgebrochen, weil es zu lange dauerte. Wenn in PostgreSQL statement_timeout gesetzt ist, erhöhen Sie es für die Rolle von Postrider.",
  ],
  [
    "The database cannot be read or written: its disk reports an error.",
    "Die Datenbank lässt sich weder lesen noch schreiben: Der Datenträger meldet einen Fehler.",
  ],
  [
    "A file of the database cannot be opened. See that the server may open it, and more files at once (ulimit -n); everything that waits goes on by itself.",
    "Eine Datei der Datenbank lässt sich nicht öffnen. Sorgen Sie dafür, dass der Server sie öffnen darf, und mehr Dateien zugleich (ulimit -n); alles, was wartet, geht von selbst weiter.",
  ],
  [
    "The database is damaged, or its disk cannot be read. Stop the server, and run `postrider doctor`. Put a backup in its place with `postrider restore` only if that says damaged too.",
    "Die Datenbank ist beschädigt, oder ihr Datenträger lässt sich nicht lesen. Halten Sie den Server an, und führen Sie `postrider doctor` aus. Spielen Sie nur dann mit `postrider restore` eine Sicherung zurück, wenn auch das von einem Schaden spricht.",
  ],
  [
    "Something went wrong on our side. The server's log has the details under this answer's X-Request-Id.",
    "Bei Postrider ging etwas schief. Das Log des Servers nennt Näheres unter der X-Request-Id dieser Antwort.",
  ],
  [
    "This route is for people who are signed in: a key has no account. Sign in with `POST /api/v1/session`.",
    "Das geht nur für Personen, die angemeldet sind.",
  ],
  ["Sign in first: `POST /api/v1/session`.", "Melden Sie sich zuerst an."],
  ["Sign in again: the session is over.", "Melden Sie sich neu an: Die Sitzung ist zu Ende."],
  [
    "The workspace in `X-Workspace` is none of yours: see `GET /api/v1/session`.",
    "Dieser Arbeitsbereich ist keiner von Ihren.",
  ],
  [
    "A page of another site may not do this in somebody's name.",
    "Eine fremde Seite darf das nicht in Ihrem Namen tun.",
  ],
  [
    "A page of another site may not do this in somebody's name. If {} is your own console, start the server with BASE_URL={}.",
    "Eine fremde Seite darf das nicht in Ihrem Namen tun. Wenn {1} Ihre eigene Konsole ist, starten Sie den Server mit BASE_URL={2}.",
  ],
  ["Send a valid API key: `Authorization: Bearer pr_…`.", "Melden Sie sich zuerst an."],
  [
    "This API key has the scope `{}`: it may make {}. Use another key.",
    "Dieser API-Schlüssel hat den Umfang `{1}`: Er darf {2}. Nehmen Sie einen anderen.",
  ],
  [
    "Send one Host header, with the name or address of this server.",
    "Die Anfrage nennt den Namen dieses Servers nicht.",
  ],
  ["The body must be a JSON object.", "Die Anfrage ist kein JSON-Objekt."],
  ["The body is not valid JSON. Send one JSON object.", "Die Anfrage ist kein gültiges JSON."],
  ["The body is JSON, but not in UTF-8. Send it in UTF-8.", "Die Anfrage ist nicht in UTF-8 geschrieben."],
  [
    "The body is compressed. Send it as it is, without `Content-Encoding`.",
    "Die Anfrage ist komprimiert. Sie muss unkomprimiert gesendet werden, ohne `Content-Encoding`.",
  ],
  [
    'The body is a form. Send its fields as one JSON object, such as {"name":"Ada"}.',
    "Die Anfrage ist ein Formular. Ihre Felder müssen als ein JSON-Objekt gesendet werden.",
  ],
  ["The body has {}. Send less at once.", "Die Anfrage hat {1}. Schicken Sie weniger auf einmal."],
  [
    "The client closed the connection before its request was whole.",
    "Die Verbindung brach ab, bevor die Anfrage ganz da war.",
  ],
  [
    "The body is larger than {} bytes: send less at once.",
    "Die Anfrage ist größer als {1} Bytes: Schicken Sie weniger auf einmal.",
  ],
  [
    "The body came too slowly: no pause may be longer than {} seconds, and all of it has {} minutes.",
    "Die Anfrage kam zu langsam: Keine Pause darf länger als {1} Sekunden sein, und für alles sind {2} Minuten Zeit.",
  ],
  [
    "Too many long requests came at once: this one waited for {} seconds. Send fewer at once.",
    "Es kamen zu viele lange Anfragen auf einmal: Diese hat {1} Sekunden gewartet. Schicken Sie weniger auf einmal.",
  ],
  [
    "The body does not have the form of this route: see `/docs`.",
    "Die Anfrage hat nicht die Form, die sie haben muss.",
  ],
  [
    "{} is not a public address. Turn allowPrivateWebhooks on where that is meant.",
    "{1} ist keine öffentliche Adresse. Ist das gewollt, schalten Sie allowPrivateWebhooks ein.",
  ],
  ["{} has no address in DNS.", "{1} hat keine Adresse im DNS."],
  ["What is to be sent is larger than {} bytes.", "Was zu senden wäre, ist größer als {1} Bytes."],
  ["No answer within 10 seconds.", "Keine Antwort in 10 Sekunden."],
  ["The connection was refused.", "Die Verbindung wurde abgelehnt."],
  ["The connection was closed without an answer.", "Die Verbindung wurde ohne Antwort geschlossen."],
  ["The name was not found in DNS.", "Den Namen gibt es im DNS nicht."],
  [
    "What answers does not speak HTTP, or the headers of its answer are too long.",
    "Was antwortet, spricht kein HTTP, oder die Kopfzeilen seiner Antwort sind zu lang.",
  ],
  ["The certificate is self-signed.", "Das Zertifikat ist selbst signiert."],
  [
    "The certificate is signed by an authority that is not trusted.",
    "Das Zertifikat hat eine Stelle signiert, der nicht vertraut wird.",
  ],
  [
    "The certificate leads to no trusted authority: the receiver has to send its intermediate certificates too.",
    "Das Zertifikat führt zu keiner vertrauten Stelle: Der Empfänger muss auch seine Zwischenzertifikate senden.",
  ],
  ["The certificate has expired.", "Das Zertifikat ist abgelaufen."],
  ["The certificate is not valid yet.", "Das Zertifikat ist noch nicht gültig."],
  ["The certificate is for another name.", "Das Zertifikat gilt für einen anderen Namen."],
  ["DNS did not answer.", "DNS antwortete nicht."],
  ["No connection could be made.", "Es kam keine Verbindung zustande."],
  [
    "It is a redirect, and redirects are not followed.",
    "Das ist eine Weiterleitung, und Weiterleitungen werden nicht befolgt.",
  ],
  [
    "A workspace has at most {} webhooks: delete one first.",
    "Ein Arbeitsbereich hat höchstens {1} Webhooks: Löschen Sie zuerst einen.",
  ],
  [
    "The webhook is not enabled, so nothing goes out: PATCH `enabled` to true.",
    "Der Webhook ist nicht eingeschaltet, also geht nichts hinaus: Schalten Sie ihn ein.",
  ],
  [
    "The webhook's address is longer than {} characters.",
    "Die Adresse des Webhooks ist länger als {1} Zeichen.",
  ],
  [
    "The webhook's address must be like https://example.com/hook.",
    "Die Adresse des Webhooks muss aussehen wie https://example.com/hook.",
  ],
  [
    "The webhook's address must not hold a user name or a password: the request is signed instead.",
    "In der Adresse des Webhooks darf kein Benutzer und kein Passwort stehen: Die Anfrage ist signiert.",
  ],
  ["It answered 410 Gone.", "Er antwortete 410 Gone."],
  ["Nothing could be delivered for three days.", "Drei Tage lang ließ sich nichts zustellen."],
  ["`enabled` must be true or false.", "`enabled` muss ja oder nein sein."],
  [
    "`url` is required: the address that events are posted to, like https://example.com/hook.",
    "Die Adresse fehlt, an die Ereignisse gehen, etwa https://example.com/hook.",
  ],
  [
    "{} is not a public address. Whoever runs the service can allow private ones: setting allowPrivateWebhooks.",
    "{1} ist keine öffentliche Adresse. Wer den Dienst betreibt, kann private erlauben: Einstellung allowPrivateWebhooks.",
  ],
  [
    '`events` is required: a list of types, like ["contact.created"], or ["*"] for all.',
    "Wählen Sie Ereignisse, oder alle.",
  ],
  ["{} is no event. There are: {}.", "{1} ist kein Ereignis. Es gibt: {2}."],
  [
    "This database is a restored backup or a copy. What the original sent since then would be sent again: enable the webhook when that is right.",
    "Diese Datenbank ist eine zurückgespielte Sicherung oder eine Kopie. Was das Original seitdem sandte, ginge noch einmal hinaus: Schalten Sie den Webhook ein, wenn das richtig ist.",
  ],
  [
    "{} needs such as `2000/hour`, `5 connections`, or both.",
    "{1} braucht etwas wie `2000/hour`, `5 connections` oder beides.",
  ],
  [
    "{} must be an object with `perHour`, `connections`, or both.",
    "{1} muss ein Objekt mit `perHour`, `connections` oder beidem sein.",
  ],
  [
    "{} has {}: only `perHour` and `connections` are known.",
    "{1} hat {2}: Es gibt nur `perHour` und `connections`.",
  ],
  ["its names have {} characters: at most {}.", "Die Namen haben {1} Zeichen: höchstens {2}."],
  ["{} has two limits. Give it one.", "{1} hat zwei Grenzen. Geben Sie nur eine an."],
  ["{} is no domain such as gmail.com.", "{1} ist keine Domain wie gmail.com."],
  [
    "{} and others are too many: at most {} together.",
    "{1} und andere sind zu viele: höchstens {2} zusammen.",
  ],
  [
    "{} has no limit: give messages an hour, connections, or both.",
    "{1} hat keine Grenze: Geben Sie Nachrichten je Stunde, Verbindungen oder beides an.",
  ],
  ["{} of {} must be a whole number from 1 to {}.", "{1} von {2} muss eine ganze Zahl von 1 bis {3} sein."],
  [
    "`{}` belongs to whoever runs the service: it is set with `postrider settings set`.",
    "{1} stellt ein, wer den Dienst betreibt: mit `postrider settings set`.",
  ],
  ["{} The settings are: {}.", "{1} Die Einstellungen sind: {2}."],
  [
    "The nodes serve every workspace: only somebody who owns all of them may see the nodes.",
    "Die Knoten dienen allen Arbeitsbereichen: Nur wer Inhaber von allen ist, darf sie sehen.",
  ],
  ["{} is given twice. Give it once.", "{1} steht zweimal da. Geben Sie es einmal an."],
];
