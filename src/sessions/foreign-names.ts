/**
 * Names that other services use when people sign in, and what to do instead (see `http/foreign-names.ts`).
 */
const EMAIL = "people sign in with `email`";
const CODE = "send the digits of the authenticator app as `code`";
const STAY = "`stay: true` keeps somebody signed in";

export const FOREIGN_SIGN_IN_FIELDS = {
  username: EMAIL,
  user: EMAIL,
  login: EMAIL,
  remember: STAY,
  rememberMe: STAY,
  otp: CODE,
  totp: CODE,
} as const;

const ONCE = "send it once, as `password`";
const OWN = "the session says whose account it is";

export const FOREIGN_PASSWORD_FIELDS = {
  currentPassword: "it is called `current`",
  oldPassword: "it is called `current`",
  newPassword: "it is called `password`",
  passwordConfirmation: ONCE,
  confirmPassword: ONCE,
  email: OWN,
  userId: OWN,
} as const;

export const FOREIGN_PRESENT_PASSWORD_FIELDS = {
  current: "it is called `password`",
  currentPassword: "it is called `password`",
  secret: "the service makes the secret, and the answer has it",
  code: "confirm it with `POST /session/totp/confirm`",
  otp: "confirm it with `POST /session/totp/confirm`",
  email: OWN,
  userId: OWN,
} as const;

export const FOREIGN_CODE_FIELDS = {
  token: CODE,
  otp: CODE,
  totp: CODE,
  pin: CODE,
  digits: CODE,
  password: "it was given for the secret; only `code` is asked for now",
} as const;

export const FOREIGN_WELCOME_FIELDS = {
  link: "send what stands at its end as `token`",
  username: EMAIL,
  user: EMAIL,
  newPassword: "it is called `password`",
  passwordConfirmation: ONCE,
  confirmPassword: ONCE,
  role: "whoever invited you has chosen it",
  otp: CODE,
  totp: CODE,
} as const;
