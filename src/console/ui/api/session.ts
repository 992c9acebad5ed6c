import { queryOptions } from "@tanstack/react-query";
import type { EnteredWorkspace, SignedIn } from "./api.gen.ts";
import { api, ok } from "./client.ts";

export type Role = EnteredWorkspace["role"];

/** Who is signed in, and the workspaces they may enter. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: () => ok(api.GET("/api/v1/session")).then(({ data }) => data),
  staleTime: 60_000,
});

export type { EnteredWorkspace as Workspace, SignedIn as Session };
