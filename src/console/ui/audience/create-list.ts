import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ok } from "../api/client.ts";

/** Makes a list with a name. `onMade` chooses it before the screens with lists load them again. */
export function useCreateList(onMade: (listId: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => ok(api.POST("/api/v1/lists", { body: { name } })),
    onSuccess: async ({ data }) => {
      onMade(data.id);
      await queries.invalidateQueries({ queryKey: ["lists"] });
    },
  });
}
