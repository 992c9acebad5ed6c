import type { Settings, SettingsUpdate } from "../../../api/api.gen.ts";
import { useChangeSettings } from "../../../api/settings.ts";
import { useSaved } from "./saved.tsx";

const nothing = (): void => {};

/** Saves settings for a field, and has the reason of the last refusal. */
export function useSaving() {
  const { mutateAsync, error, isPending } = useChangeSettings(useSaved());
  const save = (change: SettingsUpdate): Promise<Settings> => mutateAsync(change);
  return {
    error: error?.message ?? null,
    isSaving: isPending,
    /** @returns all settings as they are then */
    save,
    /** The same, for what nobody types. */
    set: (change: SettingsUpdate): void => void save(change).then(nothing, nothing),
  };
}
