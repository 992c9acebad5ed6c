import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useSearch } from "wouter";
import { sessionQuery } from "../../api/session.ts";

/** Goes where the person wanted to go before they were asked to sign in. */
export function useSignedIn(): () => Promise<void> {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const search = useSearch();
  return async () => {
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    navigate(nextAddress(search), { replace: true });
  };
}

/** A path of the console, and nothing that a foreign link could put there. */
function nextAddress(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}
