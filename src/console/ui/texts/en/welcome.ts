export const welcome = {
  title: "Welcome",
  says: "Choose a password, and you are in. This link works once.",
  emailSays: "The one you sign in with. If you were invited: the one that was invited.",
  passwordSays: "At least 10 characters. With an account here already: the password you have.",
  action: "Come in",
  used: "This link was used, or is too old",
  usedSays: "Sign in, or ask whoever gave it to you for another.",
  toSignIn: "I have signed in here before",
};
