import { useMutation, useQueryClient, type InvalidateQueryFilters } from "@tanstack/react-query";
import { useLocation } from "wouter";

type Deletion = {
  readonly remove: () => Promise<unknown>;
  /** Where it stood in a list. */
  readonly path: string;
  /** The queries of that list. */
  readonly queries: InvalidateQueryFilters;
};

/** Deletes something, goes to the list where it stood, and has that list asked for anew. */
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
