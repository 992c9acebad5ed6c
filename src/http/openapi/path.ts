/** `/lists/:id` as OpenAPI writes it: `/lists/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:([^/]+)/g, "{$1}");

/** A parameter of a path, and what it is the id of: `contact` for `/contacts/:id`. */
export type PathParameter = { readonly name: string; readonly resource: string };

export function pathParameters(path: string): PathParameter[] {
  const segments = path.split("/");
  return segments.flatMap((segment, index) =>
    segment.startsWith(":") ? [{ name: segment.slice(1), resource: singular(segments[index - 1]!) }] : [],
  );
}

/** What a path names: `list or contact` for `/lists/:id/contacts/:contactId`; null where it names nothing. */
export function resourceOf(path: string): string | null {
  return (
    pathParameters(path)
      .map(({ resource }) => resource)
      .join(" or ") || null
  );
}

export const singular = (word: string): string => word.replace(/s$/, "");

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
