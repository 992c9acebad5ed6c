/** `a;b`, as we write them, or `"a","b"`, as Mailchimp does. */
export function tagsOf(cell: string): string[] {
  const text = cell.trim();
  if (text === "") return [];
  return quotedTags(text) ?? text.split(";");
}

/** `a, b`, as most other tools write them. A comma that belongs to a tag is written `\,`, or the tags are in quotes. */
export function tagsByComma(cell: string): string[] {
  const text = cell.trim();
  if (text === "") return [];
  return quotedTags(text) ?? text.split(/(?<!\\),/).map((tag) => tag.replaceAll("\\,", ","));
}

/**
 * The tags of `"a","b"`, where quotes inside are doubled; null for what is not written so. A regular expression would
 * remember a place for each character, and a cell may have a million.
 */
function quotedTags(text: string): string[] | null {
  // By turns what stands outside quotes and inside.
  const pieces = text.split('"');
  if (pieces.length % 2 === 0 || pieces[0] !== "") return null;
  const tags: string[] = [];
  let tag = "";
  for (let i = 1; i < pieces.length; i += 2) {
    const behind = pieces[i + 1] ?? "";
    const isLast = i + 2 === pieces.length;
    tag += pieces[i] ?? "";
    if (behind === "" && !isLast) tag += '"';
    else if (behind.trim() === "," || (behind === "" && isLast)) {
      tags.push(tag);
      tag = "";
    } else return null;
  }
  return tags;
}
