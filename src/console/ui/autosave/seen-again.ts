import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** An answer that does not come must not keep what was typed from being saved. */
const LOOK_MS = 5_000;

/** It is asked for once more, and then shown. */
export async function seenAgain(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const seen = queries.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
  await Promise.race([seen, new Promise((resolve) => setTimeout(resolve, LOOK_MS))]);
  // The screens hear of an answer in the next turn.
  await new Promise((resolve) => setTimeout(resolve));
}
