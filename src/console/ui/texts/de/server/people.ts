import type { Said } from "../../server-words.ts";

/** Of contacts, lists, segments and forms. */
export const people: readonly Said[] = [
  ["list", "Liste"],
  ["segment", "Segment"],
  ["campaign", "Kampagne"],
  ["automation", "Automation"],
  [
    '`attributes` must be an object, like {"city": "Berlin"}.',
    'Merkmale müssen ein Objekt sein, etwa {"stadt": "Berlin"}.',
  ],
  [
    "`attributes` has {} members; send at most {} at once.",
    "Das sind {1} Merkmale; auf einmal gehen höchstens {2}.",
  ],
  [
    "The attribute name {} is not allowed. Use a letter A to Z, then letters, digits and _, at most 64 characters: `favourite_colour`.",
    "Der Name {1} geht nicht für ein Merkmal. Nehmen Sie einen Buchstaben A bis Z, dann Buchstaben, Ziffern und _, höchstens 64 Zeichen: `lieblings_farbe`.",
  ],
  [
    "`{}` is too large a number. Send a smaller one, or a string.",
    "{1}: Diese Zahl ist zu groß. Nehmen Sie eine kleinere, oder einen Text.",
  ],
  [
    "`{}` must be a string, a number, true or false, or an array of strings; null removes it.",
    "{1} muss ein Text, eine Zahl, ja oder nein oder eine Liste von Texten sein.",
  ],
  [
    "The contact would have {} attributes; at most {} are allowed. Remove some with null.",
    "Der Kontakt hätte {1} Merkmale; erlaubt sind höchstens {2}. Entfernen Sie einige.",
  ],
  [
    "The contact's attributes would have {} bytes of JSON; at most {} are allowed. Shorten or remove some.",
    "Die Merkmale des Kontakts hätten {1} Bytes; erlaubt sind höchstens {2}. Kürzen oder entfernen Sie einige.",
  ],
  [
    "The workspace would have {} different attribute names; at most {} are allowed. Use names that GET /attributes lists, or take one off everybody with DELETE /attributes/{name}. New: {}.",
    "Der Arbeitsbereich hätte {1} verschiedene Merkmale; erlaubt sind höchstens {2}. Nehmen Sie eines, das es schon gibt. Neu: {3}.",
  ],
  ["`status` must be PENDING, SUBSCRIBED, UNSUBSCRIBED or BOUNCED.", "Diesen Status gibt es nicht."],
  [
    "`consent` must be `explicit` or `declined`. Leave it out where the person themselves said neither.",
    "Die Zustimmung muss ausdrücklich gegeben oder abgelehnt sein.",
  ],
  ["`tags` has {} entries. Send fewer.", "Das sind {1} Tags. Nehmen Sie weniger."],
  [
    "The tag {} is longer than {} characters. Shorten it.",
    "Das Tag {1} ist länger als {2} Zeichen. Kürzen Sie es.",
  ],
  [
    "A contact has at most {} tags; these are {}. Send fewer.",
    "Ein Kontakt hat höchstens {1} Tags; das sind {2}. Nehmen Sie weniger.",
  ],
  [
    "The email address is missing. Give one like ada@example.com.",
    "Die E-Mail-Adresse fehlt. Geben Sie eine an, etwa ada@example.com.",
  ],
  [
    "The email address has a line break or another control character in it. Take it out.",
    "In der E-Mail-Adresse steht ein Zeilenumbruch oder ein anderes Steuerzeichen. Nehmen Sie es heraus.",
  ],
  [
    "The email address has a sign in it that cannot be seen, such as a blank without width. Type it anew.",
    "In der E-Mail-Adresse steht ein Zeichen, das man nicht sieht, etwa ein Leerzeichen ohne Breite. Tippen Sie sie neu ein.",
  ],
  [
    "The email address has no @. Give one like ada@example.com.",
    "Die E-Mail-Adresse hat kein @. Geben Sie eine an wie ada@example.com.",
  ],
  [
    "The email address has more than one @. Give exactly one address, like ada@example.com.",
    "Die E-Mail-Adresse hat mehr als ein @. Geben Sie genau eine Adresse an, etwa ada@example.com.",
  ],
  [
    "Give the email address alone, like ada@example.com, without a name and without <>.",
    "Geben Sie nur die E-Mail-Adresse an, etwa ada@example.com, ohne Namen und ohne <>.",
  ],
  [
    "The part of the email address before the @ must be ASCII letters, digits, single dots inside, or any of !#$%&'*+-/=?^_`{|}~: no spaces, quotes, comments or display name.",
    "Vor dem @ dürfen nur Buchstaben ohne Umlaute, Ziffern, einzelne Punkte und !#$%&'*+-/=?^_`{|}~ stehen: keine Leerzeichen, keine Anführungszeichen, kein Name.",
  ],
  [
    "The part of the email address before the @ is longer than {} characters.",
    "Vor dem @ stehen mehr als {1} Zeichen.",
  ],
  ["The email address is longer than {} characters.", "Die E-Mail-Adresse ist länger als {1} Zeichen."],
  [
    "The domain must be a host name like example.com: letters, digits and inner hyphens between single dots, nothing before or after.",
    "Nach dem @ muss ein Name wie example.com stehen: Buchstaben, Ziffern und Bindestriche zwischen einzelnen Punkten.",
  ],
  ["The domain must have a dot, like example.com.", "Die Domain muss einen Punkt haben, wie example.com."],
  [
    "The domain must be a host name like example.com, not an IP address or a number.",
    "Die Domain muss ein Name wie example.com sein, keine IP-Adresse und keine Zahl.",
  ],
  ["They have not agreed to marketing mail yet.", "Sie haben Werbung per E-Mail noch nicht zugestimmt."],
  ["They opted out.", "Sie haben sich abgemeldet."],
  ["Mail to them bounced.", "E-Mails dorthin waren unzustellbar."],
  ["Their address is suppressed: {}.", "Die Adresse ist gesperrt: <1>."],
  ["Their address is suppressed{}.", "Die Adresse ist gesperrt{1}."],
  ["Mail to {} is blocked.", "E-Mails an {1} sind gesperrt."],
  [
    "Nobody was added: these ids are not contacts of this workspace, or were sent twice: {}{}.",
    "Niemand wurde hinzugefügt: Das sind keine Kontakte dieses Arbeitsbereichs, oder sie stehen zweimal da: {1}{2}.",
  ],
  [
    "Send `contactId`, a string, or `contactIds`, an array with at least one string.",
    "Wählen Sie mindestens einen Kontakt.",
  ],
  ["`listId` must be the id of a list, or null for none.", "Wählen Sie eine Liste, oder keine."],
  ["`public` must be true or false.", "`public` muss ja oder nein sein."],
  [
    "A workspace has at most {} public lists. Take `public` off another one first.",
    "Ein Arbeitsbereich hat höchstens {1} öffentliche Listen. Machen Sie zuerst eine andere nicht öffentlich.",
  ],
  ["There is no list {} in this workspace.", "Diese Liste gibt es nicht mehr. Wählen Sie eine andere."],
  ["There is no segment {} in this workspace.", "Dieses Segment gibt es nicht mehr. Wählen Sie ein anderes."],
  ["`{}`: there is no {} {} in this workspace.", "<2> {3} gibt es in diesem Arbeitsbereich nicht."],
  ["`{}`: a segment cannot ask for itself.", "Ein Segment kann nicht nach sich selbst fragen."],
  [
    "`{}`: that segment asks for this one already; they would go round in a circle.",
    "Jenes Segment fragt schon nach diesem; die beiden gingen im Kreis.",
  ],
  [
    "`field` must be one of {} or attributes.<name>.",
    "Die Bedingung fragt nach etwas Unbekanntem. Es gibt: {1} und Merkmale.",
  ],
  [
    "A condition on `{}` has no member {}; it has {}.",
    "Eine Bedingung über `{1}` hat kein {2}; sie hat {3}.",
  ],
  ["`value` must be a tag, as a string.", "Geben Sie ein Tag an."],
  ["`value` must be a tag, and not empty.", "Geben Sie ein Tag an."],
  [
    "`value` must be a whole number, 0 or more: how many events.",
    "Geben Sie eine ganze Zahl ab 0 an: wie viele Ereignisse.",
  ],
  [
    "`name` must be the name of an event, with a letter or digit in it.",
    "Geben Sie den Namen eines Ereignisses an, mit mindestens einem Buchstaben oder einer Ziffer.",
  ],
  [
    "`where` must be an array of at most {} tests of properties.",
    "Das sind zu viele Fragen nach Eigenschaften: Erlaubt sind {1}.",
  ],
  [
    "A test must be an object with `property`, `op` and `value`.",
    "Eine Frage braucht `property`, `op` und `value`.",
  ],
  [
    "A test of a property has no member {}; it has {}.",
    "Eine Frage nach einer Eigenschaft hat kein {1}; sie hat {2}.",
  ],
  [
    "`property` must be the path of a property, such as `cart.total`.",
    "Geben Sie den Namen einer Eigenschaft an, etwa `cart.total`.",
  ],
  ["`value` must be the id of a campaign, or `any`.", "Wählen Sie eine Kampagne, oder irgendeine."],
  [
    "These are {} conditions; at most {} are allowed.",
    "Das sind {1} Bedingungen; erlaubt sind höchstens {2}.",
  ],
  [
    "A rule must be an object: a condition, or a group with `all`, `any` or `not`.",
    "Eine Regel ist eine Bedingung, oder eine Gruppe mit `all`, `any` oder `not`.",
  ],
  [
    "A group with `{}` has no other member; {} is too much.",
    "Eine Gruppe mit `{1}` hat sonst nichts; {2} ist zu viel.",
  ],
  [
    "These rules are too long for one question to the database. Take out conditions, also of the segments that they name, or name fewer segments.",
    "Diese Regeln sind zu lang für eine Frage an die Datenbank. Nehmen Sie Bedingungen heraus, auch aus den Segmenten, die sie nennen, oder nennen Sie weniger Segmente.",
  ],
  [
    "Groups lie at most {} deep. Make the rules flatter.",
    "Gruppen liegen höchstens {1} tief. Machen Sie die Regeln flacher.",
  ],
  ["`{}` must be an array with at least one rule.", "Eine Gruppe braucht mindestens eine Bedingung."],
  [
    "Fault in Postrider: stored rules are wrong at {}.",
    "Fehler in Postrider: Gespeicherte Regeln sind falsch bei {1}.",
  ],
  [
    "`rules` is required: a condition, or a group with `all`, `any` or `not`.",
    "Fügen Sie mindestens eine Bedingung hinzu.",
  ],
  [
    "`rules` has {} bytes of JSON; at most {} are allowed.",
    "Die Bedingungen haben {1} Bytes; erlaubt sind höchstens {2}.",
  ],
  [
    "A workspace has at most {} segments. Delete one first.",
    "Ein Arbeitsbereich hat höchstens {1} Segmente. Löschen Sie zuerst eines.",
  ],
  [
    "The {} {} uses this segment: change or delete that one first.",
    "<1> {2} benutzt dieses Segment: Ändern oder löschen Sie das zuerst.",
  ],
  ["`op` of a condition on `{}` must be one of {}.", "`{1}` lässt sich nur so vergleichen: {2}."],
  [
    "`value` must be an ISO 8601 date and time, such as 2026-11-21T09:30:00Z.",
    "Geben Sie Tag und Uhrzeit an.",
  ],
  [
    "This must be a number of days above 0, at most {}.",
    "Geben Sie eine Zahl von Tagen an, über 0 und höchstens {1}.",
  ],
  ["`value` must be a string.", "Geben Sie einen Text an."],
  ["`value` is longer than {} characters. Shorten it.", "Das ist länger als {1} Zeichen. Kürzen Sie es."],
  ["`value` must be a number.", "Geben Sie eine Zahl an."],
  ["`value` must be a string, a number, true or false.", "Geben Sie einen Text, eine Zahl, ja oder nein an."],
  ["`listId` is required with `{}`.", "Wählen Sie eine Liste."],
  ["`tag` is required with `{}`, and must not be empty.", "Geben Sie ein Tag an."],
  [
    "Send either `contactIds` or `rules`: who is meant.",
    "Sagen Sie, wer gemeint ist: Kontakte oder Bedingungen.",
  ],
  ["`contactIds` must be an array of 1 to {} ids of contacts.", "Wählen Sie 1 bis {1} Kontakte."],
  ["{} contacts do not join lists.", "Wer <1> ist, kommt auf keine Liste."],
  ["UNSUBSCRIBED", "abgemeldet"],
  ["BOUNCED", "unzustellbar"],
  [
    "They left this list by themselves. Add them by `contactIds` if they asked for it.",
    "Hat diese Liste selbst verlassen. Wählen Sie den Kontakt einzeln aus, wenn er darum gebeten hat.",
  ],
  ["`listIds` names more than {} lists. Name fewer.", "Das sind mehr als {1} Listen. Nehmen Sie weniger."],
  ["`status` must be {}; this is {}.", "Der Status muss {1} sein; hier steht {2}."],
  [
    "`unknownColumns` must be `ignore` or `attributes`.",
    "Unbekannte Spalten werden übergangen oder zu Merkmalen.",
  ],
  ["`existing` must be `update` or `keep`.", "Wer schon da ist, wird ergänzt oder bleibt, wie er ist."],
  [
    "`encoding` must be one of {}; this is “{}”.",
    "Diese Zeichenkodierung gibt es hier nicht: „{2}“. Wählen Sie eine andere.",
  ],
  [
    "`delimiter` must be a comma, a semicolon, a tab or a vertical bar.",
    "Spalten werden durch Komma, Semikolon, Tabulator oder senkrechten Strich getrennt.",
  ],
  ["`mapping` must be an object, by header.", "Die Zuordnung der Spalten ist nicht lesbar."],
  ["`mapping`: {} must become {}, or null.", "Die Spalte {1} muss {2} werden, oder nichts."],
  ["Its file is gone from the data directory.", "Die Datei ist nicht mehr im Datenverzeichnis."],
  [
    "The rest of its file is gone. Import the file again: nobody is added twice.",
    "Der Rest der Datei ist nicht mehr da. Importieren Sie die Datei noch einmal: Niemand wird doppelt hinzugefügt.",
  ],
  [
    "The import is over: only one that is RUNNING can be cancelled.",
    "Der Import ist vorbei: Abbrechen lässt sich nur einer, der läuft.",
  ],
  ["{} (and {} more row like it)", "<1> (und {2} weitere Zeile wie diese)"],
  ["{} (and {} more rows like it)", "<1> (und {2} weitere Zeilen wie diese)"],
  [
    "the column {} may say who left, and {} is neither a yes nor a no: write one, or say what the column becomes instead (`mapping`, --map '{}=')",
    "die Spalte {1} sagt vielleicht, wer sich abgemeldet hat, und {2} ist weder ein Ja noch ein Nein: Schreiben Sie eines davon, oder wählen Sie, was die Spalte stattdessen wird",
  ],
  [
    "imported as {}, without what is wrong in the row: {}",
    "importiert als {1}, ohne das, was in der Zeile nicht stimmt: <2>",
  ],
  [
    "the status {} is none of {}: write one of them, or have the column read as another tool's (`mapping`, --map '{}=subscribed')",
    "der Status {1} ist keiner von {2}: Schreiben Sie einen davon, oder wählen Sie „Wer abonniert hat“ für die Spalte, wenn ein anderes Werkzeug sie schrieb",
  ],
  ["the status {} is none of {}", "der Status {1} ist keiner von {2}"],
  ["the status {} is none that {} writes", "der Status {1} ist keiner, den {2} schreibt"],
  [
    "imported without {}, from where they agreed: it is no IP address",
    "importiert ohne {1}, von wo zugestimmt wurde: Das ist keine IP-Adresse",
  ],
  [
    "a quote opens in line {} and is closed only in line {}, in the middle of a cell: lines {} to {} were not imported. Remove the stray quote, or double it if it belongs to the text, and import these lines again",
    "ein Anführungszeichen öffnet in Zeile {1} und schließt erst in Zeile {2}, mitten in einer Zelle: Die Zeilen {3} bis {4} wurden nicht importiert. Nehmen Sie das überzählige Zeichen weg, oder verdoppeln Sie es, wenn es zum Text gehört, und importieren Sie diese Zeilen noch einmal",
  ],
  [
    "the row is not written in the file's encoding: save the file as UTF-8",
    "die Zeichen dieser Zeile sind nicht zu lesen: Speichern Sie die Datei als UTF-8",
  ],
  [
    '`fields` must be an array of strings such as ["firstName"].',
    "Die Felder des Formulars sind nicht lesbar.",
  ],
  [
    "`fields` has {} entries; at most {} are allowed.",
    "Das Formular hat {1} Felder; erlaubt sind höchstens {2}.",
  ],
  [
    "`style` has {} bytes of JSON; at most {} are allowed.",
    "Das Aussehen hat {1} Bytes; erlaubt sind höchstens {2}.",
  ],
  [
    "No mail of form {} is held: there is nothing to release.",
    "Von Formular {1} wird keine E-Mail festgehalten: Es gibt nichts freizugeben.",
  ],
  ["Thanks! You're subscribed.", "Danke! Sie sind angemeldet."],
];
