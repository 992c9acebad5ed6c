/**
 * Names that other services use for suppressions and blocked domains, and what to do instead (see
 * `http/foreign-names.ts`).
 */
const ONE = "one address a call: it is called `email`";
const REASON = "it is called `reason`: HARD_BOUNCE, COMPLAINT, MANUAL or UNSUBSCRIBED";

export const FOREIGN_SUPPRESSION_FIELDS = {
  address: "it is called `email`",
  emailAddress: "it is called `email`",
  recipient: "it is called `email`",
  emails: ONE,
  recipients: ONE,
  recipientEmails: ONE,
  type: REASON,
  suppressionReason: REASON,
  domain: "block a domain with `POST /blocked-domains`",
  source: "it says where the entry came from and cannot be chosen",
} as const;

export const FOREIGN_SUPPRESSION_FILTERS = {
  email: "search with `q`",
  address: "search with `q`",
  type: "it is called `reason`",
  source: "filter by `reason`",
  status: "filter by `reason`",
} as const;

const ONE_DOMAIN = "one domain a call: it is called `domain`";

export const FOREIGN_BLOCKED_DOMAIN_FIELDS = {
  name: "it is called `domain`",
  host: "it is called `domain`",
  hostname: "it is called `domain`",
  domains: ONE_DOMAIN,
  pattern: "a domain is blocked as it is, without patterns: it is called `domain`",
  email: "suppress an address with `POST /suppressions`",
  address: "suppress an address with `POST /suppressions`",
  reason: "blocked domains have no reason",
} as const;

export const FOREIGN_BLOCKED_DOMAIN_FILTERS = {
  domain: "this list has no filters",
  name: "this list has no filters",
} as const;
