import { createContext, useContext, useMemo, useState, type ReactNode } from "react";
import { SaveState } from "../../../parts/saving/save-state.tsx";

type Saved = { begin(): void; end(error: Error | null): void };

const SavedContext = createContext<Saved>({ begin: () => {}, end: () => {} });

/** Fields report here that they are being saved. */
export const useSaved = (): Saved => useContext(SavedContext);

/** Shows, once for all fields inside, whether they are saved. */
export function SavedFields({ children }: { readonly children: ReactNode }) {
  const [pending, setPending] = useState(0);
  const [error, setError] = useState<Error | null>(null);
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const saved = useMemo(
    () => ({
      begin: () => setPending((count) => count + 1),
      end(problem: Error | null) {
        setPending((count) => count - 1);
        setError(problem);
        if (problem === null) setSavedAt(new Date());
      },
    }),
    [],
  );
  return (
    <SavedContext value={saved}>
      {children}
      <SaveState isSaving={pending > 0} error={error} savedAt={savedAt} />
    </SavedContext>
  );
}
