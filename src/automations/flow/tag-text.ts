import { parseTags } from "#contacts/tags.ts";
import { read, readText, unreadable, type Data, type Reading } from "#core/request/reading.ts";

/** A member that names one tag, in the form in which contacts store it. */
export function readTag(data: Data, member: string, path: string): Reading<string> {
  const text = readText(data, member, path);
  if (!text.ok) return text;
  const tags = parseTags([text.value]);
  if (!tags.ok) return unreadable(`${path}.${member}`, tags.refusal.message);
  const [tag] = tags.value;
  return tag === undefined ? unreadable(`${path}.${member}`, `\`${member}\` is missing.`) : read(tag);
}
