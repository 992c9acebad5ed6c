import type { Texts } from "../en/index.ts";

export const welcome: Texts["welcome"] = {
  title: "Willkommen",
  says: "Wählen Sie ein Passwort, um sich anzumelden. Dieser Link gilt einmal.",
  emailSays: "Mit ihr melden Sie sich an. Wurden Sie eingeladen, nehmen Sie die eingeladene Adresse.",
  passwordSays: "Mindestens 10 Zeichen. Haben Sie hier schon ein Konto, geben Sie dessen Passwort ein.",
  action: "Konto öffnen",
  used: "Dieser Link wurde benutzt oder ist zu alt",
  usedSays: "Melden Sie sich an, oder bitten Sie um einen neuen.",
  toSignIn: "Ich habe mich hier schon angemeldet",
};
