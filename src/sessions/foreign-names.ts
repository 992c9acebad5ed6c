/**
 * Names that other services use when people sign in, and what to do instead (see `http/foreign-names.ts`).
 */
const EMAIL = "people sign in with `email`";
const STAY = "`stay: true` keeps somebody signed in";

export const FOREIGN_SIGN_IN_FIELDS = {
  username: EMAIL,
  user: EMAIL,
  login: EMAIL,
  remember: STAY,
  rememberMe: STAY,
  otp: "send the digits of the authenticator app as `code`",
  totp: "send the digits of the authenticator app as `code`",
} as const;

export const FOREIGN_PASSWORD_FIELDS = {
  currentPassword: "it is called `current`",
  oldPassword: "it is called `current`",
  newPassword: "it is called `password`",
} as const;
