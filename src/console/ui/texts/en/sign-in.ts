export const signIn = {
  title: "Sign in",
  email: "Email address",
  password: "Password",
  code: "Code",
  codeSays: "Six digits from your authenticator app.",
  stay: "Stay signed in on this device",
  staySays: "For 30 days. Otherwise you are signed out after 12 hours without use.",
  action: "Sign in",
  reader: "You got a mail and want no more of them? Use the link at its end.",
};
