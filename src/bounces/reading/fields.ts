/** Header fields by lower-case name: the first value of each counts, on one line. */
export type Fields = ReadonlyMap<string, string>;

const FIELDS_MAX = 500;
const GROUPS_MAX = 50;

/** A line that begins with white space continues the field before it (RFC 822). */
function fieldsOf(block: string): Fields {
  const fields = new Map<string, string>();
  for (const line of block.replaceAll(/\n[ \t]+/g, " ").split("\n", FIELDS_MAX)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** The groups of fields in a report, separated by empty lines (RFC 3464, 2.1; RFC 5965, 3.1). */
export const groupsOf = (text: string): Fields[] =>
  text
    .split(/\n[ \t]*(?=\n)/, GROUPS_MAX)
    .map(fieldsOf)
    .filter(({ size }) => size > 0);

/** The header of a mail. */
export const headerOf = (mail: string): Fields =>
  fieldsOf(mail.replace(/^\s+/, "").split(/\n[ \t]*\n/, 1)[0] ?? "");
