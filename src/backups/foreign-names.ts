/** Names that people know from elsewhere for the password, and what to do instead (see `http/foreign-names.ts`). */
export const FOREIGN_UNLOCK_FIELDS = {
  currentPassword: "it is called `password`",
  current: "it is called `password`",
  email: "the session says whose account it is",
} as const;
