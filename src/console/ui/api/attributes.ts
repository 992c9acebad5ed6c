import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, ok } from "./client.ts";

/** The attributes that contacts of the workspace have; empty until they are known. */
export function useAttributeNames(): readonly string[] {
  const { data } = useQuery({
    queryKey: ["attributes"],
    queryFn: ({ signal }) => ok(api.GET("/api/v1/attributes", { signal })).then((answer) => answer.data),
    staleTime: 60_000,
  });
  return useMemo(() => data?.map(({ name }) => name) ?? [], [data]);
}
