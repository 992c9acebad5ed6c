import { useMutation, useQueryClient, type InvalidateQueryFilters } from "@tanstack/react-query";
import { useGoOn } from "../frame/still-here.ts";

type Deletion = {
  readonly remove: () => Promise<unknown>;
  /** The address of its list. */
  readonly path: string;
  /** The queries of that list. */
  readonly queries: InvalidateQueryFilters;
};

/** Deletes something, opens its list, and loads that list again. */
export function useDeletion({ remove, path, queries }: Deletion) {
  const goOn = useGoOn();
  const client = useQueryClient();
  return useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      goOn(path);
      await client.invalidateQueries(queries);
    },
  });
}
