/** Lists beyond the thousand that are loaded at once. Without them, a list that is chosen looked like none. */
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ContactList } from "../api/api.gen.ts";
import { api, isNotFound, ok } from "../api/client.ts";
import { LOADED_MAX } from "../api/pages.ts";
import type { Choice } from "./choices.ts";

/** The server is asked when somebody pauses. */
const PAUSE_MS = 250;
const FOUND_MAX = 100;
const NONE: readonly ContactList[] = [];

type Asked = {
  /** Ids; those that are not loaded are looked up. A list that is gone is left out. */
  readonly chosen: readonly string[];
  /** A part of a name, which the server looks for in all lists. */
  readonly typed: string;
};

/** @param loaded undefined: nothing yet */
export function useMoreLists(
  loaded: readonly Choice[] | undefined,
  { chosen, typed }: Asked,
): readonly ContactList[] {
  const [q] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const areMore = loaded !== undefined && loaded.length >= LOADED_MAX;
  const known = new Set(loaded?.map(({ id }) => id));
  const lacking = chosen.filter((id) => id !== "" && !known.has(id));
  const named = useQuery({
    queryKey: ["lists", "named", ...lacking],
    enabled: areMore && lacking.length > 0,
    queryFn: ({ signal }) => Promise.all(lacking.map((id) => listOrNone(id, signal))),
    // The names that are known stay while one more is looked up.
    placeholderData: (before) => before,
  });
  const found = useQuery({
    queryKey: ["lists", "like", q],
    enabled: areMore && q !== "",
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/lists", { params: { query: { q, limit: FOUND_MAX } }, signal })),
  });
  if (!areMore) return NONE;
  const more = [...(named.data ?? []), ...(found.data?.data ?? [])].filter((list) => list !== null);
  const others = more.filter(({ id }) => !known.has(id));
  return [...new Map(others.map((list) => [list.id, list])).values()];
}

async function listOrNone(id: string, signal: AbortSignal): Promise<ContactList | null> {
  try {
    return (await ok(api.GET("/api/v1/lists/{id}", { params: { path: { id } }, signal }))).data;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
