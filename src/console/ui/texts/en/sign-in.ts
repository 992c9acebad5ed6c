export const signIn = {
  title: "Sign in",
  ended:
    "Your session has ended. Sign in to go on: what you wrote and was not saved yet is kept in this browser for you.",
  endedHere: "Your session has ended",
  endedHereSays:
    "Sign in again in a new tab. This page stays as it is, with what you typed, and you go on here.",
  inNewTab: "Sign in (new tab)",
  goOn: "I have signed in",
  email: "Email address",
  password: "Password",
  code: "Code",
  codeSays: "Six digits from your authenticator app.",
  stay: "Stay signed in on this device",
  staySays: "For 30 days. Otherwise you are signed out after 12 hours without use.",
  action: "Sign in",
  noCookie:
    "The sign-in was accepted, but this browser keeps no cookies of this page. Allow cookies for it, or open it under https.",
  first:
    "First time here? Open the link that you were sent. The very first link is printed by the server when it starts.",
  forgotten:
    "Forgot your password? Whoever runs this server makes you a link to choose a new one, with “postrider user reset”.",
  reader: "You get mail that you no longer want? Use the unsubscribe link at its end.",
};
