import type { Said } from "../../server-words.ts";

/** Of sign-in, passkeys, accounts and roles. */
export const account: readonly Said[] = [
  [
    "`credential` is not what was asked for, or came too late. Try again.",
    "Die Antwort passt nicht oder kam zu spät. Versuchen Sie es noch einmal.",
  ],
  ["This passkey is in use already.", "Diesen Passkey gibt es hier schon."],
  [
    "You have {} passkeys. Remove one that you do not use.",
    "Sie haben {1} Passkeys. Entfernen Sie einen, den Sie nicht brauchen.",
  ],
  ["You have no passkey {}.", "Sie haben keinen Passkey {1}."],
  ["You have no session {}.", "Sie haben keine Sitzung {1}."],
  [
    "The passkey is unknown here, or its answer came too late. Try again, or sign in with the password.",
    "Der Passkey ist hier unbekannt, oder seine Antwort kam zu spät. Versuchen Sie es noch einmal, oder nehmen Sie das Passwort.",
  ],
  [
    "Passkeys need a BASE_URL with https and a host name (or http://localhost). Sign in with the password.",
    "Passkeys brauchen eine BASE_URL mit https und einem Namen (oder http://localhost). Melden Sie sich mit dem Passwort an.",
  ],
  [
    "There is no secret to confirm: ask for one with `POST /session/totp`.",
    "Es gibt nichts zu bestätigen: Beginnen Sie die Einrichtung noch einmal.",
  ],
  [
    "`code` is not the one that the app shows now. Check the clock of the phone.",
    "Das ist nicht der Code, den die App jetzt zeigt. Prüfen Sie die Uhr des Telefons.",
  ],
  [
    "The account was changed by another request meanwhile. Look at it, then try again.",
    "Das Konto wurde inzwischen an anderer Stelle geändert. Sehen Sie nach, und versuchen Sie es noch einmal.",
  ],
  [
    "Send `code` too: six digits of your authenticator app.",
    "Geben Sie auch den Code ein: sechs Ziffern aus Ihrer Authenticator-App.",
  ],
  [
    "The code is wrong, too old or was used. Send the one that shows now.",
    "Der Code ist falsch, zu alt oder schon benutzt. Nehmen Sie den, der jetzt zu sehen ist.",
  ],
  ["`{}` is not your current password.", "Das ist nicht Ihr aktuelles Passwort."],
  ["The address or the password is wrong.", "Adresse oder Passwort ist falsch."],
  [
    "Too many failed attempts. Wait, or have an owner or `postrider user reset` help.",
    "Zu viele Fehlversuche. Warten Sie, oder bitten Sie einen Inhaber um Hilfe (`postrider user reset`).",
  ],
  [
    "Your password was reset. Follow the link of the reset: it answers this invitation too. If it is lost or too old, `postrider user reset` prints a new one.",
    "Ihr Passwort wurde zurückgesetzt. Folgen Sie dem Link dafür: Er nimmt auch diese Einladung an. Ist er verloren oder zu alt, gibt `postrider user reset` einen neuen aus.",
  ],
  ["`email` is required.", "Die E-Mail-Adresse fehlt."],
  [
    "`email` is not the address that this link was made for.",
    "Dieser Link wurde für eine andere Adresse gemacht.",
  ],
  [
    "This link is unknown, was used, or is too old. Ask for a new one: an owner invites you again, or `postrider user reset` prints one.",
    "Dieser Link ist unbekannt, benutzt oder zu alt. Bitten Sie um einen neuen: Ein Inhaber lädt Sie noch einmal ein, oder `postrider user reset` gibt einen aus.",
  ],
  [
    "Too many people sign in at once. Try again in a few seconds.",
    "Zu viele melden sich zugleich an. Versuchen Sie es in einigen Sekunden noch einmal.",
  ],
  [
    "This is the workspace's last owner. Make somebody else an owner first.",
    "Das ist der letzte Inhaber des Arbeitsbereichs. Machen Sie zuerst jemand anderen dazu.",
  ],
  [
    "`password` is longer than {} characters. Shorten it.",
    "Das Passwort ist länger als {1} Zeichen. Kürzen Sie es.",
  ],
  ["`password` must have at least {} characters.", "Das Passwort braucht mindestens {1} Zeichen."],
  [
    "`password` is one of those that are tried first. Take another, for example four words.",
    "Dieses Passwort wird als eines der ersten ausprobiert. Nehmen Sie ein anderes, zum Beispiel vier Wörter.",
  ],
  [
    "You are {} of this workspace: only its owners may do this.",
    "Das dürfen in diesem Arbeitsbereich nur Inhaber. Sie sind hier <1>.",
  ],
  ["an editor", "Bearbeiter"],
  ["a viewer", "Betrachter"],
  [
    "You are a viewer of this workspace: you may read it, but not change, send or export anything. Ask an owner.",
    "Sie sind in diesem Arbeitsbereich Betrachter: Sie dürfen nichts ändern, verschicken oder herunterladen. Fragen Sie einen Inhaber.",
  ],
  [
    "{} was invited already. For a new link, remove them first, then invite them again.",
    "{1} ist schon eingeladen. Für einen neuen Link entfernen Sie die Person zuerst und laden Sie sie dann noch einmal ein.",
  ],
  [
    "{} is in this workspace already. Change the role instead.",
    "{1} ist schon in diesem Arbeitsbereich. Ändern Sie stattdessen die Rolle.",
  ],
];
