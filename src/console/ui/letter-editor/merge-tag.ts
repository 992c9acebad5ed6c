/** Liquid has no way to write a quotation mark inside its own. Braces could end the tag. */
const quoted = (words: string): string => {
  const plain = words.trim().replaceAll(/[{}]/g, "");
  if (!plain.includes('"')) return `"${plain}"`;
  return plain.includes("'") ? `"${plain.replaceAll('"', "”")}"` : `'${plain}'`;
};

/**
 * A place in a letter that is filled in for each person.
 * @param otherwise what stands there for who has none; empty: nothing
 */
export const mergeTag = (path: string, otherwise = ""): string =>
  otherwise.trim() === "" ? `{{ ${path} }}` : `{{ ${path} | default: ${quoted(otherwise)} }}`;
