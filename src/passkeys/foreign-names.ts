/**
 * Names that other services use for passkeys, and what to do instead (see `http/foreign-names.ts`).
 */
const OWN = "the session says whose account it is";
const CREDENTIAL = "send what the browser made (`toJSON()`) as `credential`";
const NAMED = "it is called `name`";

export const FOREIGN_PROPOSAL_FIELDS = {
  current: "it is called `password`",
  currentPassword: "it is called `password`",
  name: "name it when you add it, with `POST /session/passkeys`",
  email: OWN,
  username: OWN,
  userId: OWN,
} as const;

export const FOREIGN_PASSKEY_FIELDS = {
  response: CREDENTIAL,
  attestation: CREDENTIAL,
  attestationResponse: CREDENTIAL,
  nickname: NAMED,
  label: NAMED,
  displayName: NAMED,
} as const;

export const FOREIGN_PASSKEY_USE_FIELDS = {
  response: CREDENTIAL,
  assertion: CREDENTIAL,
  assertionResponse: CREDENTIAL,
  email: "the passkey says whose account it is",
  username: "the passkey says whose account it is",
  remember: "`stay: true` keeps somebody signed in",
  rememberMe: "`stay: true` keeps somebody signed in",
} as const;
