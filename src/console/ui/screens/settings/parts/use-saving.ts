import type { SettingsUpdate } from "../../../api/api.gen.ts";
import { useChangeSettings } from "../../../api/settings.ts";
import { useSaved } from "./saved.tsx";

/** Saves settings for a field, and has the reason of the last refusal. */
export function useSaving() {
  const { mutateAsync, error } = useChangeSettings(useSaved());
  return {
    error: error?.message ?? null,
    /** @param ended called when it is saved, or with the reason why not */
    save(change: SettingsUpdate, ended?: (problem: Error | null) => void): void {
      void mutateAsync(change).then(
        () => ended?.(null),
        (problem: Error) => ended?.(problem),
      );
    },
  };
}
