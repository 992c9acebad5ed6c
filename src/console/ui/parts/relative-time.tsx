import { useSyncExternalStore } from "react";
import { useFormat } from "../frame/format.ts";

const EVERY_MS = 30_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, EVERY_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The present time, for all relative times; all of them change together. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

/** "3 minutes ago"; the exact time on hover, and for programs in `datetime`. */
export function RelativeTime({ at }: { readonly at: string }) {
  const format = useFormat();
  const atLeastNow = Math.max(useNow(), Date.now() - EVERY_MS);
  return (
    <time dateTime={at} title={format.dateTime(at)}>
      {format.relative(at, atLeastNow)}
    </time>
  );
}
