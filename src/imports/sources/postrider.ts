import { SUPPRESSION_REASONS } from "#suppression/reason.ts";
import { byWord, hasAll, none, type Source } from "./source.ts";

/** Our own words of a column `suppressed`. */
export const suppressedAs = byWord(
  Object.fromEntries(SUPPRESSION_REASONS.map((reason) => [reason.toLowerCase(), { suppress: reason }])),
);

export const postrider: Source = {
  name: "postrider",
  title: "postrider",
  isWrittenBy: hasAll("email", "firstName", "lastName", "tags", "status", "createdAt"),
  fields: none("createdAt"),
  standing: [{ header: /^suppressed$/, isForAll: false, standingOf: suppressedAs }],
  isGuarded: true,
};
