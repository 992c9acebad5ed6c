import type { Texts } from "./en.ts";

export const de: Texts = {
  page: {
    optional: "(freiwillig)",
    close: "Sie können diese Seite schließen.",
  },
  brokenLink: {
    heading: "Dieser Link funktioniert nicht",
    why: "Er ist unvollständig oder wurde unterwegs verändert. Bitte öffnen Sie ihn noch einmal aus der E-Mail oder kopieren Sie ihn ganz: Vielleicht ist er über zwei Zeilen umbrochen.",
    wayOut: "Um eine E-Mail nicht mehr zu bekommen, nutzen Sie den Link „Abmelden“ an ihrem Ende.",
  },
  testMail: {
    heading: "Das war ein Test",
    explain:
      "Der Link steht in einer Test-E-Mail und ändert bei niemandem etwas. In der E-Mail, die wirklich verschickt wird, funktioniert er.",
  },
  unsubscribe: {
    title: "Abmelden von {sender}",
    heading: "Von diesen E\u2011Mails abmelden?",
    usedBefore: "Diese Adresse wurde mit diesem Link schon einmal abgemeldet.",
    pressAgain: "Falls noch E-Mails kommen, klicken Sie bitte noch einmal auf die Schaltfläche.",
    explain:
      "Ein Klick auf die Schaltfläche, und an {address} gehen keine Newsletter und keine anderen Werbe-E-Mails mehr, egal von welcher Liste. Das gilt sofort.",
    why: "Warum?",
    whyOptional: "(freiwillig, für den Absender)",
    button: "Abmelden",
    chooseInstead: "Oder auswählen, welche E-Mails Sie bekommen",
    noWayBack:
      "Das lässt sich nicht mit einem Klick rückgängig machen: Um diese E-Mails später wieder zu bekommen, wenden Sie sich bitte an den Absender. Wenn Sie sie behalten möchten, schließen Sie einfach diese Seite.",
    doneTitle: "Abgemeldet von {sender}",
    doneHeading: "Sie sind abgemeldet",
    done: "Ab jetzt gehen an {address} keine Newsletter und keine anderen Werbe-E-Mails mehr.",
    stillComes:
      "Antworten auf etwas, das Sie selbst tun, zum Beispiel eine Quittung, können weiterhin kommen.",
  },
  preferences: {
    title: "Ihre E-Mails von {sender}",
    heading: "Ihre E\u2011Mails auswählen",
    explain: "Kreuzen Sie an, was Sie an {address} bekommen möchten.",
    pending: "Ihre Anmeldung ist noch nicht bestätigt. Die E-Mails kommen, sobald sie es ist.",
    lists: "E-Mails",
    name: "Ihr Name",
    save: "Speichern",
    saved: "Ihre Auswahl ist gespeichert.",
    leaveHeading: "Gar keine E\u2011Mails mehr?",
    leaveExplain:
      "Damit enden alle Newsletter und anderen Werbe-E-Mails von {sender}, auch solche, die hier nicht stehen. Das lässt sich nicht mit einem Klick rückgängig machen.",
    leave: "Von allem abmelden",
    outHeading: "Sie bekommen keine E\u2011Mails",
    out: "An {address} gehen keine Newsletter und keine anderen Werbe-E-Mails von {sender}.",
    askSender:
      "Auf dieser Seite lässt sich das nicht ändern. Um sie wieder zu bekommen, wenden Sie sich bitte an den Absender.",
  },
  confirm: {
    heading: "Anmeldung bestätigen",
    explain: "Ein Klick auf die Schaltfläche, und {address} bekommt die E-Mails von {sender}.",
    button: "Anmeldung bestätigen",
    notYou: "Falls Sie sich nicht angemeldet haben, schließen Sie einfach diese Seite: Es kommt nichts mehr.",
    doneHeading: "Sie sind angemeldet",
    done: "{address} ist bestätigt und bekommt die E-Mails von {sender}.",
    wayOut: "In jeder E-Mail steht ein Link zum Abmelden.",
    expiredHeading: "Dieser Link ist abgelaufen",
    expired: "Ein Bestätigungslink gilt einmal und {days} Tage lang. Es wurde nichts geändert.",
    signUpAgain: "Noch einmal anmelden, um einen neuen Link zu bekommen",
    findForm: "Bitte melden Sie sich dort noch einmal an, wo Sie das Formular gefunden haben.",
    deadHeading: "Dieser Link gilt nicht mehr",
    dead: "Seit er verschickt wurde, ist {address} von den E-Mails von {sender} abgemeldet worden, und ein Link kann das nicht rückgängig machen.",
    askSender: "Um wieder von {sender} zu hören, wenden Sie sich bitte dorthin.",
  },
  form: {
    email: "E-Mail-Adresse",
    firstName: "Vorname",
    lastName: "Nachname",
    button: "Anmelden",
    trap: "Dieses Feld bitte leer lassen",
    checkTitle: "Bitte prüfen: {form}",
    thanksTitle: "Vielen Dank",
    thanks: "Vielen Dank! Sie sind angemeldet.",
    oneMoreStep: "Vielen Dank! Nur noch ein Schritt.",
    inbox:
      "Bitte sehen Sie in Ihr Postfach: Wenn diese Adresse nicht schon angemeldet ist, ist eine E-Mail mit einem Link zum Bestätigen unterwegs.",
    refusedTitle: "Nicht angemeldet",
    back: "Sie sind nicht angemeldet worden. Um es noch einmal zu versuchen, gehen Sie zurück zum Formular.",
    noFormTitle: "Kein solches Formular",
    noForm: "Dieses Formular gibt es nicht.",
    takenDown: "Vielleicht wurde es entfernt.",
    failed: "Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.",
    offline: "Es besteht keine Verbindung. Bitte versuchen Sie es noch einmal.",
    hasty: "Das ging sehr schnell. Bitte klicken Sie noch einmal auf die Schaltfläche.",
    tooMany:
      "Aus Ihrem Netz kamen zu viele Anmeldungen. Bitte versuchen Sie es in einigen Minuten noch einmal.",
    foreignSite: "Dieses Formular darf von dieser Website aus nicht benutzt werden.",
    tooLarge: "Das ist mehr, als dieses Formular annimmt.",
    tooSlow: "Das hat zu lange gedauert. Bitte versuchen Sie es noch einmal.",
    bounced: "Diese E-Mail-Adresse kann nicht wieder angemeldet werden.",
    domainBlocked: "E-Mail-Adressen dieses Anbieters können hier nicht angemeldet werden.",
    noAddress: "Die E-Mail-Adresse fehlt. Geben Sie eine an, zum Beispiel ada@example.com.",
    badAddress: "Das ist keine vollständige E-Mail-Adresse. Geben Sie eine an wie ada@example.com.",
    tooLong: "Das Feld {field} hat mehr als {max} Zeichen. Bitte kürzen Sie es.",
    noText: "Das Feld {field} muss Text sein.",
  },
  footer: {
    unsubscribe: "Abmelden",
    preferences: "Einstellungen",
  },
  confirmationMail: {
    subject: "Bitte bestätigen Sie Ihre Anmeldung bei {sender}",
    heading: "Bitte bestätigen Sie Ihre Anmeldung",
    preview: "Ein Klick, und Sie sind bei {sender} angemeldet.",
    explain: "Jemand, hoffentlich Sie selbst, hat diese Adresse für die E-Mails von {sender} angemeldet.",
    pressButton: "Klicken Sie auf die Schaltfläche, um zu bestätigen, dass Sie das möchten.",
    openLink:
      "Um zu bestätigen, dass Sie das möchten, öffnen Sie diese Adresse und klicken Sie dort auf die Schaltfläche:",
    valid:
      "Der Link gilt {days} Tage. Falls Sie sich nicht angemeldet haben, brauchen Sie nichts zu tun: Ohne Ihre Bestätigung kommt nichts mehr.",
    noButton: "Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:",
  },
};
