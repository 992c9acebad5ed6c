import { api } from "../../api/client.ts";
import { BASE } from "../page-facts.ts";

/** Ends the session. The page is loaded again, so that nothing that was shown stays in memory. */
export function useSignOut(): () => Promise<void> {
  return async () => {
    await api.DELETE("/api/v1/session").catch(() => undefined);
    location.assign(`${BASE}/sign-in`);
  };
}
