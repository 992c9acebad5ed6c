import { hashKey, useQueryClient } from "@tanstack/react-query";
import { useLocation, useSearch } from "wouter";
import { ApiError } from "../../api/client.ts";
import { sessionQuery } from "../../api/session.ts";
import { useTexts } from "../../texts/texts.tsx";

/** The sign-in was accepted, and the next request came without its cookie. */
export class NoCookie extends Error {
  override readonly name = "NoCookie";
}

const SESSION = hashKey(sessionQuery.queryKey);

/** Opens the page that the person wanted before they were asked to sign in. It rejects if they are not signed in. */
export function useSignedIn(): () => Promise<void> {
  const queries = useQueryClient();
  const { signIn } = useTexts();
  const [, navigate] = useLocation();
  const search = useSearch();
  return async () => {
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 }).catch((error: unknown): never => {
      const isUnknown = error instanceof ApiError && error.status === 401;
      throw isUnknown ? new NoCookie(signIn.noCookie, { cause: error }) : error;
    });
    // What was loaded before may have changed since: what is left to save must not be saved over that.
    queries.removeQueries({ predicate: ({ queryHash }) => queryHash !== SESSION });
    navigate(nextAddress(search), { replace: true });
  };
}

/** A path of the console only, so that a foreign link cannot lead elsewhere. */
function nextAddress(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}
