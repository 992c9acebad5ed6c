/**
 * Names that other services use for the fields of API keys, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const ALL = "a key may do everything in its workspace";
const FOR_EVER = "a key is good until it is revoked with `DELETE /keys/{id}`";

export const FOREIGN_KEY_FIELDS = {
  title: "it is called `name`",
  label: "it is called `name`",
  description: "it is called `name`",
  note: "it is called `name`",
  scope: ALL,
  scopes: ALL,
  permission: ALL,
  permissions: ALL,
  role: ALL,
  access: ALL,
  readOnly: ALL,
  allowedIps: ALL,
  domainId: ALL,
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
