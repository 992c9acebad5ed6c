import { askSession } from "../api/session.ts";
import { BASE } from "./page-facts.ts";

/** Ends the session. The page is loaded anew, so nothing that was shown stays in memory. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    await askSession("DELETE", "/session").catch(() => undefined);
    location.assign(`${BASE}/sign-in`);
  };
}
