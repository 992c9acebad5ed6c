import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, ok } from "../api/client.ts";

/** Makes a list of a name. Whatever shows lists asks for them anew after `onMade`: it is chosen by the time it is seen. */
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
