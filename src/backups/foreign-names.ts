/** Names that people know from elsewhere for the password, and what to do instead (see `http/foreign-names.ts`). */
const IT = "it is called `password`";
const CODE = "no code is asked for here: the password is";
const OWN = "the session says whose account it is";

export const FOREIGN_UNLOCK_FIELDS = {
  currentPassword: IT,
  current: IT,
  passphrase: IT,
  code: CODE,
  otp: CODE,
  email: OWN,
  userId: OWN,
} as const;
