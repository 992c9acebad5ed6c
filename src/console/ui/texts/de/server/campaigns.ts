import type { Said } from "../../server-words.ts";

/** Of campaigns and their sending. */
export const campaigns: readonly Said[] = [
  [
    "Its send has begun: read `GET /campaigns/{}/deliveries`.",
    "Der Versand hat begonnen. Wer sie bekommt, steht im Bericht.",
  ],
  [
    "This campaign was sent. Make a new one to send again.",
    "Diese Kampagne ist verschickt. Für einen neuen Versand machen Sie eine neue.",
  ],
  [
    "This campaign is being sent, so it cannot be changed any more. Stop it to keep the rest from going out.",
    "Diese Kampagne wird verschickt und lässt sich nicht mehr ändern. Beenden Sie sie, damit der Rest nicht hinausgeht.",
  ],
  [
    "The campaign is a DRAFT: there is no schedule to cancel.",
    "Die Kampagne ist ein Entwurf: Es gibt keine Planung, die sich aufheben ließe.",
  ],
  [
    "The campaign has no list and no segment to be sent to. Set `listId`, or `segmentId` in its options, first.",
    "Die Kampagne hat keine Liste und kein Segment. Wählen Sie zuerst, an wen sie geht.",
  ],
  [
    "The workspace has no physical mailing address. Set `mailingAddress` in its settings.",
    "Der Arbeitsbereich hat keine Postanschrift. Geben Sie sie in den Einstellungen an.",
  ],
  [
    "The workspace has no sender address. Set `fromEmail` in its settings.",
    "Der Arbeitsbereich hat keine Absenderadresse. Geben Sie sie in den Einstellungen an.",
  ],
  [
    "It is quiet hours in this workspace. Send later, schedule the campaign, or set `overrideQuietHours`.",
    "In diesem Arbeitsbereich ist Ruhezeit. Verschicken Sie später, oder planen Sie die Kampagne.",
  ],
  ["The campaign's schedule was changed meanwhile.", "Die Planung der Kampagne wurde inzwischen geändert."],
  [
    "The campaign's time was more than 24 hours ago.",
    "Die Zeit der Kampagne liegt mehr als 24 Stunden zurück.",
  ],
  ["Its time was more than 24 hours ago.", "Ihre Zeit liegt mehr als 24 Stunden zurück."],
  [
    "Nobody is left to mail: the campaign's list and segment have no SUBSCRIBED contact that is not excluded, suppressed or on a blocked domain.",
    "Es bleibt niemand übrig: In Liste und Segment ist kein angemeldeter Kontakt, der nicht ausgenommen oder gesperrt ist.",
  ],
  [
    "Something went wrong on our side; the log has the details.",
    "Bei Postrider ging etwas schief; das Log nennt Näheres.",
  ],
  [
    "The campaign's list was removed meanwhile. Look at whom it goes to, and schedule it again.",
    "Die Liste der Kampagne wurde inzwischen entfernt. Prüfen Sie, an wen sie geht, und planen Sie sie noch einmal.",
  ],
  [
    "The campaign was changed while its send was prepared. Send it again.",
    "Die Kampagne wurde geändert, während der Versand vorbereitet wurde. Verschicken Sie sie noch einmal.",
  ],
  [
    "It is held: the database was restored or copied, or its time passed more than 24 hours ago, so it may have been sent before. Look, then let it go with `postrider campaign release {}`.",
    "Sie wird festgehalten: Die Datenbank wurde wiederhergestellt oder kopiert, oder ihre Zeit liegt mehr als 24 Stunden zurück. Sie könnte also schon verschickt sein. Sehen Sie nach, und geben Sie sie dann frei: `postrider campaign release {1}`.",
  ],
  [
    "It is paused: nothing goes out until it is resumed.",
    "Sie ist angehalten: Nichts geht hinaus, bis sie fortgesetzt wird.",
  ],
  [
    "Look at whom it goes to and at what it says, then resume or stop it.",
    "Sehen Sie nach, an wen sie geht und was darin steht; dann setzen Sie sie fort, oder beenden Sie sie.",
  ],
  [
    "A send can be paused, resumed and stopped from its start, by a call or by its schedule, until the campaign is SENT.",
    "Anhalten, fortsetzen und beenden lässt sich ein Versand von seinem Beginn an, bis die Kampagne verschickt ist.",
  ],
  ["`scheduledAt` is required, like 2026-11-21T09:30:00Z.", "Die Zeit fehlt."],
  [
    "`scheduledAt` must be an ISO 8601 date and time that exists, like 2026-11-21T09:30:00Z or 2026-11-21T09:30+01:00.",
    "Diese Zeit gibt es nicht. Wählen Sie eine andere.",
  ],
  [
    "`scheduledAt` must be at least 30 seconds in the future. Use send to send now.",
    "Die Zeit muss mindestens 30 Sekunden in der Zukunft liegen. Für jetzt gibt es „Verschicken“.",
  ],
  [
    "`fromEmail`: the workspace has no sender address. Set `fromEmail` or `senderDomains` in its settings.",
    "Der Arbeitsbereich hat keine Absenderadresse. Geben Sie in den Einstellungen eine an, oder weitere Domains.",
  ],
  [
    "`fromEmail` must be an address at {}, not {}. Other domains go into the setting `senderDomains`.",
    "Die Absenderadresse muss bei {1} liegen, nicht bei {2}. Weitere Domains stehen in den Einstellungen.",
  ],
  [
    "Campaign {} is not held: there is nothing to release.",
    "Kampagne {1} wird nicht festgehalten: Es gibt nichts freizugeben.",
  ],
  ["`to` is required: an address, or an array of 1 to 10 addresses.", "Geben Sie 1 bis 10 Adressen an."],
  [
    "`to` has {} addresses; a test goes to at most {}.",
    "Das sind {1} Adressen; ein Test geht an höchstens {2}.",
  ],
  ["Every entry of `to` must be an address.", "Jeder Eintrag muss eine Adresse sein."],
  ["`to` names {} twice. Name every address once.", "{1} steht zweimal da. Nennen Sie jede Adresse einmal."],
  [
    "`utm` needs a `source`, `medium` or `campaign`. Send null for none.",
    "`utm` braucht `source`, `medium` oder `campaign`.",
  ],
  ["`utm.{}` must be a string.", "`utm.{1}` muss ein Text sein."],
  ["`topic` must be one word, without white space.", "`topic` muss ein Wort ohne Leerzeichen sein."],
  ["The contact was deleted.", "Der Kontakt wurde gelöscht."],
  [
    "Today's share of the warm-up is used up: the others go out from tomorrow on.",
    "Was für heute vorgesehen war, ist verschickt: Die übrigen gehen ab morgen hinaus.",
  ],
  ["The others wait for {}{}.", "Die übrigen warten auf {1}{2}."],
  [
    "The letter cannot be made now. It is tried again every minute, and the log of the server says more. The reason: {}",
    "Die E-Mail lässt sich gerade nicht erstellen. Es wird jede Minute wieder versucht, und das Protokoll des Servers sagt mehr. Der Grund: <1>",
  ],
  ["The DKIM key {} {}.", "Der DKIM-Schlüssel {1} <2>."],
  ["The DKIM key {} cannot be read ({}).", "Der DKIM-Schlüssel {1} ist nicht lesbar ({2})."],
  [
    "Nothing is sent unsigned: put it back, or make another with postrider dkim create.",
    "Ohne Signatur geht nichts hinaus: Legen Sie ihn zurück, oder erstellen Sie einen neuen mit postrider dkim create.",
  ],
  [
    "Mail from {} cannot be signed by {}: the DKIM domain must be {} or a domain above it.",
    "E-Mails von {1} können nicht von {2} signiert werden: Die DKIM-Domain muss {3} sein oder eine darüber.",
  ],
  [
    "The relay offers no encryption, so the password was not sent. Use smtps:// or another port, or allow it with ?ignoreTLS=true.",
    "Das Relay bietet keine Verschlüsselung, also wurde das Passwort nicht gesendet. Nehmen Sie smtps:// oder einen anderen Port, oder erlauben Sie es mit ?ignoreTLS=true.",
  ],
  [
    "The message is larger than the relay takes, by its own announcement.",
    "Die Nachricht ist größer, als das Relay nach eigener Angabe annimmt.",
  ],
  [
    "The sender's or the recipient's address cannot stand in an SMTP command.",
    "Die Adresse des Absenders oder Empfängers kann nicht in einem SMTP-Befehl stehen.",
  ],
  [
    "it is empty: give smtp://user:password@host:587 or leave it out.",
    "es ist leer: Geben Sie smtp://benutzer:passwort@host:587 an, oder lassen Sie es weg.",
  ],
  [
    "{} Nothing was sent; try again in a moment.",
    "<1> Nichts wurde verschickt; versuchen Sie es gleich noch einmal.",
  ],
  ["The server is stopping.", "Der Server wird angehalten."],
  ["Too much is waiting to be made.", "Zu viel wartet darauf, erstellt zu werden."],
  ["The machine is too busy.", "Die Maschine hat zu viel zu tun."],
  ["The letter is larger than 8 MB. Shorten it.", "Der Brief ist größer als 8 MB. Kürzen Sie ihn."],
  [
    "The letter takes too much work to make: its HTML, MJML or Liquid is too long or too deeply nested. Make it simpler.",
    "Der Brief macht zu viel Arbeit: Sein HTML, MJML oder Liquid ist zu lang oder zu tief verschachtelt. Machen Sie ihn einfacher.",
  ],
  [
    "The letter takes too much memory to make: its HTML, MJML or Liquid is too long or too deeply nested. Make it simpler.",
    "Der Brief braucht zu viel Speicher: Sein HTML, MJML oder Liquid ist zu lang oder zu tief verschachtelt. Machen Sie ihn einfacher.",
  ],
  [
    "The letter cannot be made: its HTML, MJML or Liquid is too deeply nested. Make it simpler.",
    "Der Brief lässt sich nicht erstellen: Sein HTML, MJML oder Liquid ist zu tief verschachtelt. Machen Sie ihn einfacher.",
  ],
  ["The letter cannot be made: {}.", "Der Brief lässt sich nicht erstellen: {1}."],
  [
    "Counting these people took longer than 5 minutes and was stopped. Make the segments that are asked for or left out simpler: fewer conditions in them, or fewer of them.",
    "Diese Personen zu zählen hat länger als 5 Minuten gedauert und wurde abgebrochen. Machen Sie die gewählten oder ausgeschlossenen Segmente einfacher: weniger Bedingungen darin, oder weniger Segmente.",
  ],
];
