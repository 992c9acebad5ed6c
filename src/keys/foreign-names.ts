/**
 * Names that other services use for the fields of API keys, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const SCOPE = "`scope` says what a key may ask: `full`, `send` or `read`";
const FOR_EVER = "a key is good until it is revoked with `DELETE /keys/{id}`";

export const FOREIGN_KEY_FIELDS = {
  title: "it is called `name`",
  label: "it is called `name`",
  description: "it is called `name`",
  note: "it is called `name`",
  scopes: SCOPE,
  permission: SCOPE,
  permissions: SCOPE,
  role: SCOPE,
  access: SCOPE,
  readOnly: SCOPE,
  allowedIps: "a key is good from anywhere",
  domainId: "a key is good for its whole workspace",
  expiresAt: FOR_EVER,
  expiresIn: FOR_EVER,
  expires: FOR_EVER,
  ttl: FOR_EVER,
} as const;

export const FOREIGN_KEY_FILTERS = {
  name: "keys have no filters",
  status: "keys have no filters",
  active: "keys have no filters",
} as const;
