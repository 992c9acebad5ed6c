/**
 * What a PATCH says about one field: nothing, "empty it", or a new value. Routes translate a missing member,
 * `null` and a value into this type once, so that no other code has to know which of them meant what.
 */
export type Patch<T> =
  | { readonly kind: "absent" }
  | { readonly kind: "clear" }
  | { readonly kind: "set"; readonly value: T };

export const absent: { readonly kind: "absent" } = { kind: "absent" };

export const clear: { readonly kind: "clear" } = { kind: "clear" };

export const set = <T>(value: T): Patch<T> => ({ kind: "set", value });

/** The field after the patch. `cleared` is the value of an emptied field (`""`, `null`, `[]`). */
export function applyPatch<T>(current: T, patch: Patch<T>, cleared: T): T {
  if (patch.kind === "absent") return current;
  return patch.kind === "set" ? patch.value : cleared;
}
