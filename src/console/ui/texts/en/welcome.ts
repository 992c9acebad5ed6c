export const welcome = {
  title: "Welcome",
  says: "Choose a password to sign in. This link works once.",
  emailSays: "You sign in with it. If you were invited, use the address that was invited.",
  passwordSays: "At least 10 characters. If you have an account here already, enter its password.",
  action: "Open the account",
  used: "This link was used, or is too old",
  usedSays: "Sign in, or ask the person who gave it to you for a new one.",
  toSignIn: "I have signed in here before",
};
