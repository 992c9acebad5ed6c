import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Attribute } from "./api.gen.ts";
import { api, ok } from "./client.ts";

const NONE: readonly Attribute[] = [];

/** The attributes that contacts of the workspace have; empty until they are known. */
export const useAttributes = (): readonly Attribute[] =>
  useQuery({
    queryKey: ["attributes"],
    queryFn: ({ signal }) => ok(api.GET("/api/v1/attributes", { signal })).then((answer) => answer.data),
    staleTime: 60_000,
  }).data ?? NONE;

/** Their names. */
export function useAttributeNames(): readonly string[] {
  const all = useAttributes();
  return useMemo(() => all.map(({ name }) => name), [all]);
}
