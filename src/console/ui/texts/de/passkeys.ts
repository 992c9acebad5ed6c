import type { Texts } from "../en/index.ts";

const WITHOUT =
  "Melden Sie sich mit Fingerabdruck, Gesicht oder PIN eines Geräts an, ohne Passwort. Ein Code einer App wird dann nicht verlangt: Das Gerät hat Sie schon geprüft.";

export const passkeys: Texts["passkeys"] = {
  title: "Passkeys",
  says: WITHOUT,
  saysAt: (host) =>
    `${WITHOUT} Passkeys gelten nur für ${host}. Bekommt die Konsole eine andere Adresse, melden Sie sich dort mit dem Passwort an und fügen Sie neue hinzu.`,
  column: "Name",
  name: "Name des Passkeys",
  nameExample: "Mein Telefon",
  added: "Hinzugefügt",
  lastUsed: "Zuletzt benutzt",
  never: "Nie",
  actions: "Aktionen",
  ofAnotherHost: (host) => `Gilt nur für ${host}. Entfernen Sie ihn, und fügen Sie hier einen neuen hinzu.`,
  add: "Passkey hinzufügen",
  notMade:
    "Es wurde kein Passkey hinzugefügt: Der Vorgang wurde abgebrochen, oder dieses Gerät hat schon einen Passkey für Sie.",
  remove: "Entfernen",
  removeIt: (name) => `${name} entfernen`,
  removeTitle: "Diesen Passkey entfernen?",
  removeSays: "Niemand kann sich mehr damit anmelden. Ihr Passwort und Ihre anderen Passkeys bleiben.",
  signIn: "Mit einem Passkey anmelden",
  givenUp:
    "Sie sind nicht angemeldet: Der Vorgang wurde abgebrochen, oder dieses Gerät hat keinen Passkey für diese Adresse.",
  notAccepted:
    "Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal, oder melden Sie sich mit dem Passwort an.",
  hindrances: {
    address: () =>
      "Passkeys brauchen eine Adresse mit https und einem Hostnamen. Wer den Dienst betreibt, setzt sie als BASE_URL.",
    elsewhere: (origin) => `Passkeys gelten nur für ${origin}. Öffnen Sie die Konsole dort.`,
    browser: () => "Dieser Browser ist zu alt für Passkeys.",
  },
};
