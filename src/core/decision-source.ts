/**
 * Where a decision about a person came from: about consent, or a suppression. `admin` is the command line, `import`
 * a file that gives the reason itself (docs/decisions.md "Contacts and consent").
 */
export const DECISION_SOURCES = [
  "api",
  "form",
  "confirmation",
  "unsubscribe",
  "bounce",
  "complaint",
  "admin",
  "preferences",
  "import",
] as const;

export type DecisionSource = (typeof DECISION_SOURCES)[number];
