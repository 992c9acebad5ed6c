import type { Texts } from "../en/index.ts";

export const welcome: Texts["welcome"] = {
  title: "Willkommen",
  says: "Wählen Sie ein Passwort, und Sie sind drin. Dieser Link gilt einmal.",
  emailSays: "Ihre, wenn Sie die erste Person sind; andere wurden mit ihrer eingeladen.",
  passwordSays: "Mindestens 10 Zeichen. Haben Sie hier schon ein Konto, dessen Passwort.",
  action: "Eintreten",
  used: "Dieser Link wurde benutzt oder ist zu alt",
  usedSays: "Melden Sie sich an, oder bitten Sie um einen neuen.",
  toSignIn: "Ich habe mich hier schon angemeldet",
};
