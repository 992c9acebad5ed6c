import { queryOptions } from "@tanstack/react-query";
import { facts } from "../frame/page-facts.ts";
import { refusalOf } from "./client.ts";

export type Role = "owner" | "editor" | "viewer";

export type Workspace = { readonly id: string; readonly name: string; readonly role: Role };

export type Session = {
  readonly user: { readonly id: string; readonly email: string; readonly totp: boolean };
  readonly workspaces: readonly Workspace[];
};

/** A request about who is here: it is in no workspace. */
export async function askSession(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${facts.root}/api/v1${path}`, {
    method,
    credentials: "same-origin",
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalOf(response.status, answer);
  return answer;
}

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async () => ((await askSession("GET", "/session")) as { data: Session }).data,
  staleTime: 60_000,
});
