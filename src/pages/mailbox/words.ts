import { preferredLanguage } from "#texts/language.ts";

/** Its readers run the service or write its letters. So it has the languages of the console. */
const WORDS = {
  en: {
    locale: "en-GB",
    mailbox: "Mailbox",
    toConsole: "Back to the console",
    reload: "Reload",
    newest: "Newest",
    older: "Older",
    says: "Mail is captured here, and nobody else gets it. The newest 1,000 messages are kept.",
    ofWorkspace: "Your key shows those of its workspace.",
    none: "No mail yet",
    noneSays: "Send a campaign, and every message of it appears here.",
    noneOlder: "No older mail",
    noSubject: "(no subject)",
    to: "to",
    from: "from",
    nobody: "nobody",
    allMail: "All mail",
    fromField: "From",
    toField: "To",
    envelope: "Envelope",
    captured: "Captured",
    attached: "Attached",
    notGiven: "(not given)",
    views: "Views of this message",
    view: { html: "HTML", text: "Text", headers: "Headers" },
    download: "Download",
    noText: "This message has no text part.",
    noHtml: "This message has no HTML part.",
    shown: "Remote images are shown, and the sender's pixel counted this as an opening.",
    block: "Block them",
    blocked: "Remote images are blocked, the pixel that counts openings too.",
    show: "Show them",
    message: "The message",
    noMessage: "No such message",
    noMessageSays: "It was never captured, newer mail has taken its place, or your key does not open it.",
    notShown: "This message cannot be shown",
    notShownSays: "It is too large, or built in a way that takes too long to read. You can download it.",
    bytes: "bytes",
  },
  de: {
    locale: "de-DE",
    mailbox: "Postfach",
    toConsole: "Zurück zur Konsole",
    reload: "Neu laden",
    newest: "Neueste",
    older: "Ältere",
    says: "E-Mails werden hier abgefangen, und sonst bekommt sie niemand. Die neuesten 1.000 bleiben.",
    ofWorkspace: "Ihr Schlüssel zeigt die seines Arbeitsbereichs.",
    none: "Noch keine E-Mails",
    noneSays: "Verschicken Sie eine Kampagne, und jede ihrer E-Mails erscheint hier.",
    noneOlder: "Keine älteren E-Mails",
    noSubject: "(ohne Betreff)",
    to: "an",
    from: "von",
    nobody: "niemandem",
    allMail: "Alle E-Mails",
    fromField: "Von",
    toField: "An",
    envelope: "Umschlag",
    captured: "Abgefangen",
    attached: "Angehängt",
    notGiven: "(nicht angegeben)",
    views: "Ansichten dieser E-Mail",
    view: { html: "HTML", text: "Text", headers: "Kopfzeilen" },
    download: "Herunterladen",
    noText: "Diese E-Mail hat keinen Textteil.",
    noHtml: "Diese E-Mail hat keinen HTML-Teil.",
    shown: "Bilder von außen werden gezeigt, und das Zählbild des Absenders hat dies als Öffnung gezählt.",
    block: "Nicht zeigen",
    blocked: "Bilder von außen werden nicht geladen, auch das Zählbild für Öffnungen nicht.",
    show: "Zeigen",
    message: "Die E-Mail",
    noMessage: "Diese E-Mail gibt es nicht",
    noMessageSays:
      "Sie wurde nie abgefangen, neuere haben ihren Platz genommen, oder Ihr Schlüssel öffnet sie nicht.",
    notShown: "Diese E-Mail kann nicht gezeigt werden",
    notShownSays:
      "Sie ist zu groß, oder so gebaut, dass das Lesen zu lange dauert. Sie können sie herunterladen.",
    bytes: "Bytes",
  },
} as const;

export type MailboxLanguage = keyof typeof WORDS;

export type MailboxWords = (typeof WORDS)[MailboxLanguage];

export const wordsOf = (language: MailboxLanguage): MailboxWords => WORDS[language];

/** The language that the reader's browser prefers, if the mailbox has it. */
export function mailboxLanguage(headers: Headers): MailboxLanguage {
  const preferred = preferredLanguage(headers.get("accept-language"));
  return preferred === "de" ? "de" : "en";
}
