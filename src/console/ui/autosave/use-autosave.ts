import { useEffect, useRef, useSyncExternalStore } from "react";
import { ApiError } from "../api/client.ts";
import { autosaver, type Autosaver, type Kept } from "./autosaver.ts";

/** A refusal stays one; a server that is away may come back. */
const isTransient = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Two tabs may write on the same thing: each takes away only what it put there itself. */
function onThisDevice<T>(name: string): Kept<T> {
  const key = `postrider.unsaved.${name}`;
  const read = (): Partial<T> => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<T>;
    } catch {
      return {};
    }
  };
  let own = read();
  return {
    read,
    write(changes) {
      const before: Readonly<Record<string, unknown>> = own;
      const others = Object.entries(read()).filter(
        ([field, value]) => !Object.hasOwn(before, field) || !same(before[field], value),
      );
      own = changes;
      const all = { ...Object.fromEntries(others), ...changes };
      try {
        if (Object.keys(all).length === 0) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(all));
      } catch {
        // The device keeps nothing (private window, full): the server still does.
      }
    },
  };
}

/**
 * An autosaver for one thing. It saves what is left when the screen goes.
 * @param name of the thing, on this device
 */
export function useAutosave<T extends object>(name: string, save: (changes: Partial<T>) => Promise<void>) {
  const made = useRef<{ readonly name: string; readonly saver: Autosaver<T> } | null>(null);
  if (made.current?.name !== name) {
    const later = (run: () => void, ms: number) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    };
    const saver = autosaver<T>({ save, kept: onThisDevice(name), isTransient, later, now: () => new Date() });
    made.current = { name, saver };
  }
  const { saver } = made.current;
  const status = useSyncExternalStore(saver.subscribe, saver.status);
  useEffect(() => {
    const leave = () => void saver.flush();
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [saver]);
  return { saver, status };
}
