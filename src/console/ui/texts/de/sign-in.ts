import type { Texts } from "../en/index.ts";

export const signIn: Texts["signIn"] = {
  title: "Anmelden",
  email: "E-Mail-Adresse",
  password: "Passwort",
  code: "Code",
  codeSays: "Sechs Ziffern aus Ihrer Authenticator-App.",
  stay: "Auf diesem Gerät angemeldet bleiben",
  staySays: "30 Tage lang. Sonst werden Sie nach 12 Stunden ohne Nutzung abgemeldet.",
  action: "Anmelden",
  reader: "Sie haben eine E-Mail bekommen und möchten keine mehr? Nutzen Sie den Link an ihrem Ende.",
};
