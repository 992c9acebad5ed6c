import { accept, type Result } from "#core/errors/errors.ts";
import { parseInclude } from "#core/request/include.ts";

type Query = { readonly include: string | undefined };

/** What a page of contacts shows only if a request asks for it. */
const ON_PAGES = ["attributes", "lastOpenedAt"] as const;
export type ShownOnPages = ReadonlySet<(typeof ON_PAGES)[number]>;

/** Whether a request asks with `include` for the attributes of the contact in its answer. */
export function parseContactInclude(query: Query): Result<boolean> {
  const asked = parseInclude(query.include, ["attributes"]);
  return asked.ok ? accept(asked.value.has("attributes")) : asked;
}

export const parsePageInclude = (query: Query): Result<ShownOnPages> => parseInclude(query.include, ON_PAGES);
