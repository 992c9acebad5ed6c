/** The contacts that fit these rules, as an address of the console. */
export const contactsWhere = (rules: object): string =>
  `/contacts?rules=${encodeURIComponent(JSON.stringify(rules))}`;

export const contactsTagged = (tag: string): string =>
  contactsWhere({ field: "tag", op: "equals", value: tag });
