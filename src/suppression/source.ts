/**
 * Where a suppression's present reason came from: as in the consent log, and `import` for a file that says so
 * itself (docs/decisions.md "Contacts and consent").
 */
export const SUPPRESSION_SOURCES = [
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

export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];
