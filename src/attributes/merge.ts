import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { quotedSome } from "#core/text/text.ts";
import type { AttributeChange } from "./attribute-input.ts";
import type { Attributes, AttributeValue } from "./attribute.ts";

const ATTRIBUTES_MAX = 100;
const BYTES_MAX = 16_384;
const NAMES_MAX = 500;

/** How many contacts of the workspace have a name, by name; a name that nobody has is not in it. */
export type AttributeHolders = ReadonlyMap<string, number>;

/**
 * A contact's attributes after a change that replaces, adds and removes single attributes. Refused if the
 * contact would have too many or too long ones, or the workspace too many names (docs/contract.md "Attributes
 * of contacts"). A change that only removes is never refused.
 */
export function mergeAttributes(
  current: Attributes,
  change: AttributeChange,
  holders: AttributeHolders,
): Result<Attributes> {
  const merged: Record<string, AttributeValue> = { ...current };
  let isAdding = false;
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete merged[name];
    else merged[name] = value;
    isAdding ||= value !== null;
  }
  if (!isAdding) return accept(merged);
  const count = Object.keys(merged).length;
  if (count > ATTRIBUTES_MAX)
    return invalid(
      `The contact would have ${count} attributes; at most ${ATTRIBUTES_MAX} are allowed. Remove some with null.`,
    );
  const bytes = Buffer.byteLength(JSON.stringify(merged));
  if (bytes > BYTES_MAX)
    return invalid(
      `The contact's attributes would have ${bytes} bytes of JSON; at most ${BYTES_MAX} are allowed. Shorten or remove some.`,
    );
  return checkNames(current, merged, holders);
}

/** A name that this contact alone has and now gives up makes room for another one. */
function checkNames(current: Attributes, merged: Attributes, holders: AttributeHolders): Result<Attributes> {
  const added = Object.keys(merged).filter((name) => !holders.has(name));
  if (added.length === 0) return accept(merged);
  const dropped = Object.keys(current).filter(
    (name) => holders.get(name) === 1 && !Object.hasOwn(merged, name),
  );
  const names = holders.size + added.length - dropped.length;
  if (names <= NAMES_MAX) return accept(merged);
  return invalid(
    `The workspace would have ${names} different attribute names; at most ${NAMES_MAX} are allowed. ` +
      `Use names that GET /attributes lists, or take one off everybody with DELETE /attributes/{name}. New: ${quotedSome(added)}.`,
  );
}

/**
 * Counts the change of one contact, for callers that write many contacts and check each against those before
 * it.
 */
export function countHolders(holders: Map<string, number>, before: Attributes, after: Attributes): void {
  for (const name of Object.keys(after))
    if (!Object.hasOwn(before, name)) holders.set(name, (holders.get(name) ?? 0) + 1);
  for (const name of Object.keys(before)) {
    if (Object.hasOwn(after, name)) continue;
    const left = (holders.get(name) ?? 0) - 1;
    if (left > 0) holders.set(name, left);
    else holders.delete(name);
  }
}
