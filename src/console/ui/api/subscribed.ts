import { useQuery } from "@tanstack/react-query";
import { api, ok } from "./client.ts";

/** How many may get campaigns. */
export const useSubscribed = () =>
  useQuery({
    queryKey: ["contacts", "subscribed"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/contacts", { params: { query: { limit: 1, status: "SUBSCRIBED" } }, signal })).then(
        ({ pagination }) => pagination.total,
      ),
  });
