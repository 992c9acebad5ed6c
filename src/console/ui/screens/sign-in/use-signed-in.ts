import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useSearch } from "wouter";
import { sessionQuery } from "../../api/session.ts";

/** Opens the page that the person wanted before they were asked to sign in. */
export function useSignedIn(): () => Promise<void> {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const search = useSearch();
  return async () => {
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    navigate(nextAddress(search), { replace: true });
  };
}

/** A path of the console only, so that a foreign link cannot lead elsewhere. */
function nextAddress(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}
