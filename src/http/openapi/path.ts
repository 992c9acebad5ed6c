import { capitalLetter } from "#core/text/capital-letter.ts";
import { present } from "#core/present.ts";

/** `/lists/:id` as OpenAPI writes it: `/lists/{id}`. */
export const templateOf = (path: string): string => path.replaceAll(/:([^/]+)/g, "{$1}");

/** A parameter of a path and the kind of thing it identifies: `blocked-domain` for `/blocked-domains/:domain`. */
export type PathParameter = {
  readonly name: string;
  readonly resource: string;
  /** The kind of thing that it belongs to, for `:deliveryId` in `/webhooks/:id/deliveries/:deliveryId`: `webhook`. */
  readonly owner: string | null;
};

export function pathParameters(path: string): PathParameter[] {
  const segments = path.split("/");
  const resourceAt = (index: number): string =>
    singular(present(segments[index - 1], "segment before a parameter"));
  return segments.flatMap((segment, index) =>
    segment.startsWith(":")
      ? [
          {
            name: segment.slice(1),
            resource: resourceAt(index),
            owner: segments[index - 2]?.startsWith(":") === true ? resourceAt(index - 2) : null,
          },
        ]
      : [],
  );
}

/**
 * What a path identifies: `list or contact` for `/lists/:id/contacts/:contactId`; null if it has no
 * parameters.
 */
export function resourceOf(path: string): string | null {
  return (
    pathParameters(path)
      .map(({ resource }) => inWords(resource))
      .join(" or ") || null
  );
}

export const singular = (word: string): string => word.replace(/ies$/, "y").replace(/s$/, "");

/** As names in code have it: `BlockedDomain` for `blocked-domain`. */
export const capitalized = (name: string): string => name.split("-").map(capitalLetter).join("");

export const inWords = (name: string): string => name.replaceAll("-", " ");
