import type { Said } from "../../server-words.ts";

/** What is wrong with a flow, and with what was asked of an automation. */
export const automations: readonly Said[] = [
  ["`action` must be {}.", "Die Aktion muss eine von diesen sein: {1}."],
  ["The mail has no text: give `html` or `mjml`.", "Die E-Mail hat keinen Text. Schreiben Sie einen."],
  [
    "`html` is MJML: send it as `mjml`.",
    "Die E-Mail ist MJML, ihr Format ist aber HTML. Wählen Sie MJML als Format.",
  ],
  [
    "The flow is larger than 8 MB. Make it smaller.",
    "Der Ablauf ist größer als 8 MB. Machen Sie ihn kleiner.",
  ],
  [
    "The flow takes too much work to go through: it has too many steps, or Liquid that is too long or too deeply nested. Make it simpler.",
    "Den Ablauf durchzugehen macht zu viel Arbeit: Er hat zu viele Schritte, oder Liquid, das zu lang oder zu tief verschachtelt ist. Machen Sie ihn einfacher.",
  ],
  [
    "The flow takes too much memory to go through: it has too many steps, or Liquid that is too long or too deeply nested. Make it simpler.",
    "Den Ablauf durchzugehen braucht zu viel Speicher: Er hat zu viele Schritte, oder Liquid, das zu lang oder zu tief verschachtelt ist. Machen Sie ihn einfacher.",
  ],
  [
    "The flow cannot be gone through: its Liquid is too deeply nested. Make it simpler.",
    "Der Ablauf lässt sich nicht durchgehen: Sein Liquid ist zu tief verschachtelt. Machen Sie ihn einfacher.",
  ],
  ["The mail is larger than 8 MB.", "Die E-Mail ist größer als 8 MB."],
  ["The mail takes too much work to read.", "Die E-Mail zu lesen macht zu viel Arbeit."],
  ["The mail takes too much memory to read.", "Die E-Mail zu lesen braucht zu viel Speicher."],
  [
    "The mail cannot be read: it is too deeply nested.",
    "Die E-Mail lässt sich nicht lesen: Sie ist zu tief verschachtelt.",
  ],
  ["The mail has no text yet.", "Die E-Mail hat noch keinen Text."],
  [
    "`field` must be firstName, lastName or attributes.<name>.",
    "Das Feld muss Vorname, Nachname oder ein Merkmal sein.",
  ],
  ["`status` must be DRAFT, LIVE or PAUSED.", "Der Status muss DRAFT, LIVE oder PAUSED sein."],
  [
    "`flowJson` must be an object with `nodes` and `edges`.",
    "Der Ablauf muss ein Objekt mit `nodes` und `edges` sein.",
  ],
  ["`{}.data` must be an object.", "`{1}.data` muss ein Objekt sein."],
  [
    "`flowJson.nodes[{}].id` is longer than {} characters. Shorten it.",
    "Die Kennung von Schritt {1} ist länger als {2} Zeichen. Kürzen Sie sie.",
  ],
  [
    "`flowJson.nodes[{}].id` has a character that cannot be stored. Use letters, digits or signs.",
    "Der Name eines Schritts hat ein Zeichen, das sich nicht speichern lässt. Nehmen Sie Buchstaben, Ziffern oder Satzzeichen.",
  ],
  [
    "`flowJson.nodes[{}].id` is {}, like `flowJson.nodes[{}].id`. Node ids are unique.",
    "Die Schritte {1} und {3} haben dieselbe Kennung {2}. Jeder braucht seine eigene.",
  ],
  [
    "`flowJson` has {} bytes of JSON; at most {} are allowed.",
    "Der Ablauf hat {1} Bytes; erlaubt sind höchstens {2}.",
  ],
  [
    "`{}.data.{}` has {} tests; at most {} are allowed.",
    "Diese Bedingung hat {3} Prüfungen; erlaubt sind höchstens {4}.",
  ],
  ["The type {} is not known: it must be {}.", "Den Typ {1} gibt es nicht. Es gibt <2>."],
  ["trigger, wait, condition, action or end", "trigger, wait, condition, action und end"],
  [
    "The flow has no trigger, so nobody enters. Add one.",
    "Der Ablauf hat keinen Auslöser, also kommt niemand hinein. Fügen Sie einen hinzu.",
  ],
  [
    "This moment has passed, so the step holds nobody.",
    "Diese Zeit ist vorbei, also hält der Schritt niemanden auf.",
  ],
  [
    "Webhooks go to public addresses only, unless allowPrivateWebhooks is on.",
    "Webhooks gehen nur an öffentliche Adressen, wenn allowPrivateWebhooks nicht eingeschaltet ist.",
  ],
  [
    "The tag is taken as it stands: Liquid is filled in for mails and attributes only. Write the tag itself.",
    "Der Tag wird so genommen, wie er dasteht: Liquid wird nur in E-Mails und Merkmalen ausgefüllt. Schreiben Sie den Tag selbst.",
  ],
  [
    "The address is called as it stands: Liquid is filled in for mails and attributes only. What is sent there has the contact and the event in it.",
    "Die Adresse wird so aufgerufen, wie sie dasteht: Liquid wird nur in E-Mails und Merkmalen ausgefüllt. In dem, was dorthin geht, stehen der Kontakt und das Ereignis.",
  ],
  [
    "The value is compared as it stands: Liquid is filled in for mails and attributes only. Write the value itself.",
    "Der Wert wird so verglichen, wie er dasteht: Liquid wird nur in E-Mails und Merkmalen ausgefüllt. Schreiben Sie den Wert selbst.",
  ],
  [
    "`where` is not looked at: here an event is asked for by its name only. Properties of the event that starts the run are `trigger.<path>`.",
    "`where` wird nicht beachtet: Hier wird nach einem Ereignis nur mit seinem Namen gefragt. Eigenschaften des Ereignisses, mit dem der Durchlauf beginnt, sind `trigger.<path>`.",
  ],
  [
    "Nobody counts as having clicked, because trackClicks is off.",
    "Niemand gilt als jemand, der geklickt hat, denn Klicks werden nicht gezählt (trackClicks).",
  ],
  [
    "Only who clicked counts as having opened it, because trackOpens is off.",
    "Nur wer geklickt hat, gilt als jemand, der sie geöffnet hat, denn Öffnungen werden nicht gezählt (trackOpens).",
  ],
  [
    "Nobody counts as having opened it, because trackOpens and trackClicks are off.",
    "Niemand gilt als jemand, der sie geöffnet hat, denn weder Öffnungen noch Klicks werden gezählt (trackOpens, trackClicks).",
  ],
  ["`withinDays` is looked at for events only.", "`withinDays` wird nur bei Ereignissen beachtet."],
  [
    "The name is written as it stands: Liquid is filled in for attributes only. Write the name itself, or set an attribute.",
    "Der Name wird so eingetragen, wie er da steht: Liquid wird nur bei Merkmalen ausgefüllt. Schreiben Sie den Namen selbst hin, oder setzen Sie ein Merkmal.",
  ],
  ["There is no step {}.", "Den Schritt {1} gibt es nicht."],
  [
    'An edge from a condition needs `sourceHandle` "true" or "false"; this one is never followed.',
    "Ein Weg aus einer Bedingung braucht „ja“ oder „nein“; diesem folgt niemand.",
  ],
  ["No way leads from the trigger to this step.", "Vom Auslöser führt kein Weg zu diesem Schritt."],
  [
    "Whoever comes here from the step {} may not get its mail: a mail goes out after the steps that follow it without a wait. Add a wait before this step.",
    "Wer vom Schritt {1} hierher kommt, bekommt dessen E-Mail vielleicht nicht: Sie geht erst nach den Schritten hinaus, die ihr ohne Wartezeit folgen. Setzen Sie eine Wartezeit vor diesen Schritt.",
  ],
  [
    "This step is part of a loop without a wait. Add a wait to the loop.",
    "Dieser Schritt liegt in einem Kreis ohne Wartezeit. Setzen Sie eine hinein.",
  ],
  [
    "The step {} was not performed: {} automations started each other before this one, without a wait. Put a wait into one of them.",
    "Der Schritt {1} wurde nicht ausgeführt: {2} Automationen haben einander davor gestartet, ohne Wartezeit. Setzen Sie in eine davon eine Wartezeit.",
  ],
  ["The flow has no send_email step {}.", "Der Ablauf hat keinen Schritt {1}, der eine E-Mail schickt."],
  [
    "A flow has one trigger; this one has more. Remove all but one.",
    "Ein Ablauf hat einen Auslöser; dieser hat mehrere. Lassen Sie nur einen stehen.",
  ],
  ["{}, to different steps. Keep one.", "<1>, zu verschiedenen Schritten. Lassen Sie nur einen stehen."],
  ["More than one edge leads on from here", "Von hier führt mehr als ein Weg weiter"],
  ["The branch {} has more than one edge", "Der Zweig {1} hat mehr als einen Weg"],
  ["`trigger` must be {}.", "Der Auslöser muss einer von diesen sein: {1}."],
  [
    "`{}` needs at least one letter or digit.",
    "Der Name eines Ereignisses braucht mindestens einen Buchstaben oder eine Ziffer.",
  ],
  ["`tag` is missing.", "Geben Sie ein Tag an."],
  ["`eventName` is missing.", "Geben Sie den Namen eines Ereignisses an."],
  ["`value` is missing.", "Geben Sie einen Wert an."],
  ["`subject` is missing.", "Die E-Mail hat keinen Betreff. Schreiben Sie einen."],
  ["`listId` is missing.", "Wählen Sie eine Liste."],
  ["`url` is missing.", "Geben Sie eine Adresse an."],
  ["`reenroll` must be `once` or `each_time`.", "Wer schon da war, kommt einmal hinein oder jedes Mal."],
  [
    "`unit` must be `minutes`, `hours`, `days` or `weeks`.",
    "Die Einheit muss Minuten, Stunden, Tage oder Wochen sein.",
  ],
  ["`amount` must be a whole number from 1 to {} {}.", "Geben Sie eine ganze Zahl an, von 1 bis {1} <2>."],
  ["minutes", "Minuten"],
  ["hours", "Stunden"],
  ["days", "Tage"],
  ["weeks", "Wochen"],
  ["`until` must be a date and time like 2026-11-21T09:30:00Z.", "Geben Sie Tag und Uhrzeit an."],
  [
    "Nothing is filled in for `{}` in line {}, column {}: there is no such name. {}",
    "Für `{1}` in Zeile {2}, Spalte {3} wird nichts eingesetzt: Diesen Namen gibt es nicht. <4>",
  ],
  ["Mails know {}.", "E-Mails kennen {1}."],
  ["Did you mean {}?", "Meinten Sie {1}?"],
  [
    "What looks like merge tags of another service is sent as it stands: {}. Write them in Liquid, as {{ contact.firstName }}.",
    "Das sieht nach Platzhaltern eines anderen Dienstes aus und geht so hinaus, wie es dasteht: {1}. Schreiben Sie sie in Liquid, wie {{ contact.firstName }}.",
  ],
  [
    "`nodeId` is missing: the id of a node that sends mail.",
    "Wählen Sie einen Schritt, der eine E-Mail schickt.",
  ],
  ["`data` must be an object, as in `flowJson`.", "Die Angaben des Schritts sind nicht lesbar."],
  ["`contactId` must be a text.", "Wählen Sie einen Kontakt."],
  [
    "The flow has no node {}: save it first, or send `data`.",
    "Den Schritt {1} gibt es noch nicht: Speichern Sie zuerst.",
  ],
  ["The node {} sends no mail.", "Der Schritt {1} schickt keine E-Mail."],
  [
    "The Liquid in `value` takes more steps than a value may. Make it simpler.",
    "Das Liquid in diesem Wert ist zu aufwendig. Machen Sie es einfacher.",
  ],
  ["The webhook answered {}.", "Der Webhook antwortete {1}."],
  ["A condition has either `all` or `any`.", "Eine Bedingung verlangt entweder alles oder eines davon."],
  ["`{}` must be an array with at least one test.", "Eine Bedingung braucht mindestens eine Frage."],
  [
    "A test must be an object with `field`, `op` and `value`.",
    "Eine Frage braucht `field`, `op` und `value`.",
  ],
  ["`op` must be one of {}.", "Der Vergleich muss einer von diesen sein: {1}."],
  [
    "`field` must be status, email, firstName, lastName, attributes.<name>, tag, list, score, event, opened, clicked or trigger.<path>.",
    "Wählen Sie, wonach gefragt wird.",
  ],
  [
    "`trigger.` must be followed by the path of a property.",
    "Geben Sie den Namen einer Eigenschaft des Auslösers an.",
  ],
  ["Its MJML was not compiled.", "Das MJML wurde nicht übersetzt."],
  ["The subject is empty once it is filled in.", "Ausgefüllt ist der Betreff leer."],
  ["`{}` cannot be asked of `{}`: use {}.", "`{1}` geht nicht mit `{2}`: Nehmen Sie {3}."],
  [
    "`withinDays` must be a number above 0, at most {}.",
    "Geben Sie eine Zahl von Tagen an, über 0 und höchstens {1}.",
  ],
  [
    "Messages of this step that wait: {}. {} They go out when that is put right.",
    "E-Mails dieses Schritts, die warten: {1}. <2> Sie gehen hinaus, sobald das behoben ist.",
  ],
  [
    "Nobody moves in this automation now. It is tried again every minute, and the log of the server says more. The reason: {}",
    "In dieser Automation kommt gerade niemand weiter. Es wird jede Minute wieder versucht, und das Protokoll des Servers sagt mehr. Der Grund: <1>",
  ],
  [
    "Messages of this step that are held: {}. The database was restored or copied, so they may have been sent before. Look, then let them go with `postrider automation release {}`.",
    "E-Mails dieses Schritts, die festgehalten werden: {1}. Die Datenbank wurde aus einer Sicherung oder Kopie geholt, sie können also schon gesendet sein. Sehen Sie nach, und geben Sie sie dann mit `postrider automation release {2}` frei.",
  ],
  [
    "No mail of automation {} is held: there is nothing to release.",
    "Von Automation {1} wird keine E-Mail festgehalten: Es gibt nichts freizugeben.",
  ],
  ["`properties` must be an object.", "Die Eigenschaften müssen ein JSON-Objekt sein."],
  ["`opens` must be true or false.", "`opens` muss ja oder nein sein."],
  [
    "`eventName` must be the name of an event, like `order_placed`.",
    "Geben Sie den Namen eines Ereignisses an, etwa `order_placed`.",
  ],
  ["`days` must be a whole number from 1 to {}.", "Geben Sie eine ganze Zahl von Tagen an, von 1 bis {1}."],
  [
    "`startAt` must be an ISO 8601 date and time of the years 1970 to 9899, such as 2026-12-01T09:00:00Z.",
    "Geben Sie Tag und Uhrzeit des Beginns an.",
  ],
  ["The flow does not wait for the event {}.", "Der Ablauf wartet nicht auf das Ereignis {1}."],
  [
    "The flow has no trigger that can be read: see its problems.",
    "Der Ablauf hat keinen lesbaren Auslöser: Sehen Sie bei den Problemen nach.",
  ],
  ["The automation is LIVE already.", "Die Automation läuft schon."],
  [
    "Only a LIVE automation can be paused; this one is {}.",
    "Anhalten lässt sich nur eine Automation, die läuft; diese ist <1>.",
  ],
  ["DRAFT", "ein Entwurf"],
  ["LIVE", "gestartet"],
  ["PAUSED", "angehalten"],
  [
    "A published automation cannot return to DRAFT; this one is {}. Pause it instead.",
    "Eine Automation, die lief, wird kein Entwurf mehr; diese ist <1>. Halten Sie sie stattdessen an.",
  ],
  [
    "Automation mail waits for the end of the quiet hours.",
    "E-Mails von Automationen warten auf das Ende der Ruhezeit.",
  ],
];
