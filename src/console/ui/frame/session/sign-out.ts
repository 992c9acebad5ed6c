import { notifications } from "@mantine/notifications";
import { ApiError, api, ok } from "../../api/client.ts";
import { useTexts } from "../../texts/texts.tsx";
import { BASE } from "../page-facts.ts";
import { tellOtherTabs } from "./other-tabs.ts";
import { isWorkUnfinished, stopWork } from "../unfinished.ts";

const isOver = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/**
 * Ends the session. The page is loaded again, so that nothing that was shown stays in memory. Who could not
 * be signed out is told so: the sign-in page would say otherwise, and the next person at this computer would
 * be in.
 */
export function useSignOut(): () => Promise<void> {
  const { frame } = useTexts();
  return async () => {
    if (isWorkUnfinished() && !confirm(frame.endsWork)) return;
    // Whoever signs in next must not go on with it.
    stopWork();
    try {
      await ok(api.DELETE("/api/v1/session"));
    } catch (error) {
      if (!isOver(error))
        return void notifications.show({ color: "red", autoClose: false, message: frame.stillSignedIn });
    }
    tellOtherTabs(null);
    location.assign(`${BASE}/sign-in`);
  };
}
