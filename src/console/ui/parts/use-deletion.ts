import { useMutation, useQueryClient, type InvalidateQueryFilters } from "@tanstack/react-query";
import { useLocation } from "wouter";

type Deletion = {
  readonly remove: () => Promise<unknown>;
  /** The address of its list. */
  readonly path: string;
  /** The queries of that list. */
  readonly queries: InvalidateQueryFilters;
};

/** Deletes something, opens its list, and loads that list again. */
export function useDeletion({ remove, path, queries }: Deletion) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      navigate(path);
      await client.invalidateQueries(queries);
    },
  });
}
