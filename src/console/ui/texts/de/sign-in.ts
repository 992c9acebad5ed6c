import type { Texts } from "../en/index.ts";

export const signIn: Texts["signIn"] = {
  title: "Anmelden",
  ended:
    "Ihre Sitzung ist beendet. Melden Sie sich an, um weiterzumachen: Was Sie geschrieben haben und noch nicht gespeichert war, ist in diesem Browser für Sie aufbewahrt.",
  endedHere: "Ihre Sitzung ist beendet",
  endedHereSays:
    "Melden Sie sich in einem neuen Tab wieder an. Diese Seite bleibt, wie sie ist, mit allem, was Sie getippt haben, und Sie machen hier weiter.",
  inNewTab: "Anmelden (neuer Tab)",
  goOn: "Ich habe mich angemeldet",
  email: "E-Mail-Adresse",
  password: "Passwort",
  code: "Code",
  codeSays: "Sechs Ziffern aus Ihrer Authenticator-App.",
  stay: "Auf diesem Gerät angemeldet bleiben",
  staySays: "30 Tage lang. Sonst werden Sie nach 12 Stunden ohne Nutzung abgemeldet.",
  action: "Anmelden",
  noCookie:
    "Die Anmeldung war richtig, aber dieser Browser behält keine Cookies dieser Seite. Erlauben Sie ihr Cookies, oder öffnen Sie sie unter https.",
  first:
    "Zum ersten Mal hier? Öffnen Sie den Link, den Sie bekommen haben. Den allerersten gibt der Server beim Start aus.",
  forgotten:
    "Passwort vergessen? Wer diesen Server betreibt, macht Ihnen mit „postrider user reset“ einen Link, mit dem Sie ein neues wählen.",
  reader: "Sie bekommen E-Mails, die Sie nicht mehr möchten? Nutzen Sie den Abmeldelink am Ende der E-Mail.",
};
