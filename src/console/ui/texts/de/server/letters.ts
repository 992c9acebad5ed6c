import type { Said } from "../../server-words.ts";

/** Of letters, templates and what keeps a workspace from sending. */
export const letters: readonly Said[] = [
  ["subject", "Betreff"],
  ["body", "Brieftext"],
  ["preheader", "Vorschautext"],
  ["text part", "Textteil"],
  ["text", "Text"],
  ["The subject is empty. Write one.", "Der Betreff ist leer. Schreiben Sie einen."],
  ["The {} cannot be used in line {}, column {}: {}.", "Nicht verwendbar (<1>, Zeile {2}, Spalte {3}): <4>."],
  ["The {} cannot be used in line {}: {}.", "Nicht verwendbar (<1>, Zeile {2}): <3>."],
  ["The {} cannot be used{}: {}.", "Nicht verwendbar (<1>{2}): <3>."],
  [
    "The subject becomes longer than {} characters. Shorten it.",
    "Der Betreff wird länger als {1} Zeichen. Kürzen Sie ihn.",
  ],
  ["{} is no time zone, such as Europe/Berlin", "{1} ist keine Zeitzone wie Europe/Berlin"],
  ["The MJML cannot be used: {}", "Das MJML ist nicht verwendbar: <1>"],
  [
    "Liquid at this place would be lost. Move the tag into <mj-body>, or into the text of an element",
    "Liquid an dieser Stelle ginge verloren. Verschieben Sie das Tag in <mj-body> oder in den Text eines Elements",
  ],
  [
    "{}: its end is missing, and what is in it would be lost. Write </{}>",
    "{1}: Das Ende fehlt, und der Inhalt ginge verloren. Schreiben Sie </{2}>",
  ],
  [
    "mj-include: no files are read. Write here what is in the file",
    "mj-include: Dateien werden nicht gelesen. Schreiben Sie hierher, was in der Datei steht",
  ],
  [
    "{}: there are two of them, and one would be lost. Keep one",
    "{1}: Es gibt zwei davon, und eines ginge verloren. Behalten Sie eines",
  ],
  [
    "{}: it would be lost. Move it directly into <mjml>",
    "{1}: Es ginge verloren. Verschieben Sie es direkt in <mjml>",
  ],
  ["{}: it would be lost. Move it into <mj-head>", "{1}: Es ginge verloren. Verschieben Sie es in <mj-head>"],
  ["{}: it would be lost. Move it into <mj-body>", "{1}: Es ginge verloren. Verschieben Sie es in <mj-body>"],
  [
    "{} would be lost. Put it into an element, such as <mj-text>",
    "{1} ginge verloren. Setzen Sie es in ein Element, etwa <mj-text>",
  ],
  [
    "MJML changes a Liquid tag, which then cannot be read: {}",
    "MJML verändert ein Liquid-Tag, das dann nicht mehr lesbar ist: <1>",
  ],
  [
    "The sender address is not a plain ASCII address. Set another one.",
    "Die Absenderadresse ist keine einfache ASCII-Adresse. Geben Sie eine andere an.",
  ],
  [
    "The reply-to address is not a plain ASCII address. Set another one or none.",
    "Die Antwortadresse ist keine einfache ASCII-Adresse. Geben Sie eine andere an oder keine.",
  ],
  [
    "The Feedback-ID holds a space or a character that is not ASCII.",
    "Die Feedback-ID enthält ein Leerzeichen oder ein Zeichen, das nicht ASCII ist.",
  ],
  [
    "The recipient's address is not a plain ASCII address.",
    "Die Adresse des Empfängers ist keine einfache ASCII-Adresse.",
  ],
  [
    "The Message-ID is not of the form left@right in ASCII.",
    "Die Message-ID hat nicht die Form links@rechts in ASCII.",
  ],
  ["it has more than {} conditional comments", "Es hat mehr als {1} bedingte Kommentare"],
  [
    "it has an mj-font, and more than {} times font-family",
    "Es hat mj-font und mehr als {1}-mal font-family",
  ],
  ["it has more than {} times mj-carousel-image", "Es hat mehr als {1}-mal mj-carousel-image"],
  [
    "its elements get too many and too long attributes from mj-attributes and from the elements around them",
    "Seine Elemente bekommen zu viele und zu lange Attribute von mj-attributes und von den Elementen um sie herum",
  ],
  [
    "its inline styles and mj-html-attribute are too long for so many elements",
    "Seine Inline-Stile und mj-html-attribute sind zu lang für so viele Elemente",
  ],
  ["{} And {} more.", "<1> Und {2} weitere."],
  [
    "The text part made of this HTML is larger than 1 MB. Nest quotations and lists less deeply.",
    "Der Textteil aus diesem HTML ist größer als 1 MB. Verschachteln Sie Zitate und Listen weniger tief.",
  ],
  [
    "The HTML comes to {} KB with footer and tracked links. Gmail cuts a letter off at about {} KB: the end, and the link to unsubscribe with it, is hidden. Make it shorter.",
    "Das HTML hat mit Fußzeile und gezählten Links {1} KB. Gmail schneidet Briefe bei etwa {2} KB ab: Das Ende mit dem Abmeldelink ist dann verborgen. Kürzen Sie ihn.",
  ],
  ["`body` must not be empty.", "Der Brief ist leer. Schreiben Sie etwas."],
  [
    "`body` has {} bytes of UTF-8; at most {} are allowed.",
    "Der Brief hat {1} Bytes; erlaubt sind höchstens {2}. Am meisten brauchen Bilder, die in der Quelle selbst stehen (data:): Laden Sie sie stattdessen hoch.",
  ],
  [
    "`text` has {} bytes of UTF-8; at most {} are allowed.",
    "Der Textteil hat {1} Bytes; erlaubt sind höchstens {2}.",
  ],
  [
    "The Liquid template has more than {} tags. Use fewer.",
    "Die Liquid-Vorlage hat mehr als {1} Tags. Nehmen Sie weniger.",
  ],
  [
    "The Liquid template's tags have more than {} characters. Shorten them.",
    "Die Tags der Liquid-Vorlage haben mehr als {1} Zeichen. Kürzen Sie sie.",
  ],
  [
    "The Liquid template cannot be used in line {}, column {}: {}.",
    "Die Liquid-Vorlage ist nicht verwendbar (Zeile {1}, Spalte {2}): <3>.",
  ],
  ["The Liquid template cannot be used{}: {}.", "Die Liquid-Vorlage ist nicht verwendbar{1}: <2>."],
  ["The message cannot be sent: {}.", "Die Nachricht lässt sich nicht verschicken: {1}."],
  [
    "The {} holds what looks like merge tags: {}. It is sent as written, so everybody reads them as they stand. Take them out, or set `personalize` with PATCH /campaigns/{id}/options and write them as Liquid.",
    "<1>: Das sieht nach Platzhaltern aus: {2}. Es geht so hinaus, wie es dasteht, und alle lesen es so. Nehmen Sie es heraus, oder schreiben Sie es als Liquid.",
  ],
  [
    "The {} holds what looks like merge tags of another service: {}. It is sent as written, so everybody reads them as they stand. Write them as Liquid.",
    "<1>: Das sieht nach Platzhaltern eines anderen Dienstes aus: {2}. Es geht so hinaus, wie es dasteht, und alle lesen es so. Schreiben Sie es als Liquid.",
  ],
  [
    "Nothing is filled in for `{}` in the {}: there is no such name. {}",
    "<2>: Für `{1}` wird nichts eingesetzt: Diesen Namen gibt es nicht. <3>",
  ],
  ["Letters know {}.", "Briefe kennen {1}."],
  [
    "What looks like a merge tag of another service stands in the {} and is sent as it is: {}. Write it in Liquid.",
    "<1>: Das sieht nach einem Platzhalter eines anderen Dienstes aus und geht so hinaus, wie es dasteht: {2}. Schreiben Sie ihn in Liquid.",
  ],
  [
    "What looks like a merge tag stands in the {}: {}. Everybody reads it as it is, since `personalize` is off. Take it out, or set `personalize`.",
    "<1>: Das sieht nach einem Platzhalter aus: {2}. Alle lesen ihn so, wie er dasteht. Nehmen Sie ihn heraus, oder schalten Sie das Ausfüllen ein.",
  ],
  [
    "The subject has {} characters. Most mail programs show far fewer than {}: shorten it.",
    "Der Betreff hat {1} Zeichen. Die meisten Mailprogramme zeigen weit weniger als {2}: Kürzen Sie ihn.",
  ],
  [
    "The text part has no link: who reads only text cannot go where the HTML leads.",
    "Der Textteil hat keinen Link: Wer nur Text liest, kommt nicht dorthin, wohin das HTML führt.",
  ],
  ["A link has no address.", "Ein Link hat keine Adresse."],
  [
    "An image has no address: readers see an empty frame. Choose one, or take it out.",
    "Ein Bild hat keine Adresse: Leser sehen einen leeren Rahmen. Wählen Sie eines, oder nehmen Sie es heraus.",
  ],
  [
    "Mail programs cannot load the image {}: readers see an empty frame. Upload it, and write the address that it has then, with https://.",
    "Mailprogramme können das Bild {1} nicht laden: Leser sehen einen leeren Rahmen. Laden Sie es hoch, und schreiben Sie die Adresse, die es dann hat, mit https://.",
  ],
  [
    "An image stands in the letter itself (`data:`): Gmail and Outlook show an empty frame. Upload it, and write the address that it has then.",
    "Ein Bild steht im Brief selbst (data:): Gmail und Outlook zeigen einen leeren Rahmen. Laden Sie es hoch, und schreiben Sie die Adresse, die es dann hat.",
  ],
  [
    "The link to {} has no scheme: mail programs do not know where it leads. Write the whole address, with https://.",
    "Der Link zu {1} ist keine ganze Adresse: Mailprogramme wissen nicht, wohin er führt. Schreiben Sie sie ganz, mit https://.",
  ],
  [
    "The link to {} is no address that a browser can open.",
    "Der Link zu {1} ist keine Adresse, die ein Browser öffnen kann.",
  ],
  [
    "The link to {} leads to a private address: readers outside your network cannot open it.",
    "Der Link zu {1} führt zu einer privaten Adresse: Leser außerhalb Ihres Netzes können sie nicht öffnen.",
  ],
  [
    'An image has no `alt`: who does not see it learns nothing of it. Describe it, or write alt="" where it only decorates.',
    'Ein Bild hat keine Beschreibung: Wer es nicht sieht, erfährt nichts davon. Beschreiben Sie es, oder schreiben Sie alt="", wo es nur schmückt.',
  ],
  [
    "The file is no PNG, JPEG, GIF or WebP. Send it in one of these formats.",
    "Die Datei ist kein PNG, JPEG, GIF oder WebP. Nehmen Sie eines dieser Formate.",
  ],
  [
    "The image is damaged or not whole. Save it again and send that.",
    "Das Bild ist beschädigt oder nicht vollständig. Speichern Sie es neu, und nehmen Sie das.",
  ],
  [
    "There are {} bytes behind the image. Save it again and send that.",
    "Hinter dem Bild stehen {1} Bytes. Speichern Sie es neu, und nehmen Sie das.",
  ],
  [
    "The image has no pixels. Save it again and send that.",
    "Das Bild hat keine Bildpunkte. Speichern Sie es neu, und nehmen Sie das.",
  ],
  [
    "The image has {} × {} pixels: at most {} a side and {} in all. Scale it down.",
    "Das Bild hat {1} × {2} Bildpunkte: Erlaubt sind {3} je Seite und {4} insgesamt. Verkleinern Sie es.",
  ],
  [
    "The file is larger than 5 MiB. Scale the image down: letters need far less.",
    "Die Datei ist größer als 5 MiB. Verkleinern Sie das Bild: Briefe brauchen viel weniger.",
  ],
  [
    "A workspace has at most {} templates. Delete one first.",
    "Ein Arbeitsbereich hat höchstens {1} Vorlagen. Löschen Sie zuerst eine.",
  ],
  ["`subject` is required.", "Der Betreff fehlt."],
  ["`body` is required.", "Der Brief fehlt."],
  [
    "`variables` must be an object of names and values.",
    "`variables` muss ein Objekt aus Namen und Werten sein.",
  ],
  [
    "`variables` has more than {} characters of JSON. Send fewer.",
    "`variables` hat mehr als {1} Zeichen JSON. Nehmen Sie weniger.",
  ],
  ["Sending is suspended for this workspace.", "Der Versand dieses Arbeitsbereichs ist angehalten."],
  ["Sending is turned off for this workspace.", "Der Versand dieses Arbeitsbereichs ist ausgeschaltet."],
  ["{} Turn on `sending` in its settings.", "<1> Schalten Sie ihn in den Einstellungen ein."],
  [
    "This send of {} would pass the {} of {}: {} used in {}, {} left. Send to fewer people, wait until {}, or raise {}.",
    "Dieser Versand an {1} ginge über die Grenze ({2}: {3}): {4} verbraucht in {5}, {6} übrig. Verschicken Sie an weniger Leute, warten Sie bis {7}, oder erhöhen Sie {8}.",
  ],
];
