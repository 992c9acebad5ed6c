/**
 * Names that other services use for the fields of people, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const ROLE = "`role` says what they may do: `owner`, `editor` or `viewer`";

export const FOREIGN_USER_FIELDS = {
  roles: ROLE,
  permission: ROLE,
  permissions: ROLE,
  isAdmin: ROLE,
  admin: ROLE,
  access: ROLE,
  password: "people choose their own, by the link in the answer",
  username: "people sign in with `email`",
  emailAddress: "it is called `email`",
} as const;

export const FOREIGN_USER_FILTERS = {
  role: "people have no filters",
  email: "people have no filters",
  q: "people have no filters",
} as const;
