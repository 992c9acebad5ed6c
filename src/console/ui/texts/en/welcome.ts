export const welcome = {
  title: "Welcome",
  says: "Choose a password, and you are in. This link works once.",
  emailSays: "Yours, if you are the first; others were invited with theirs.",
  passwordSays: "At least 10 characters. If you have an account here already, its password.",
  action: "Come in",
  used: "This link was used, or is too old",
  usedSays: "Sign in, or ask whoever gave it to you for another.",
  toSignIn: "I have signed in here before",
};
