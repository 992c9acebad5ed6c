import { useEffect, useRef, useSyncExternalStore } from "react";
import { ApiError } from "../api/client.ts";
import { autosaver, type Autosaver } from "./autosaver.ts";
import { onThisDevice } from "./on-this-device.ts";

/** A refusal stays a refusal; a server that is away may come back. */
const isTransient = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429;

/** An autosaver for one thing. When the screen closes, it saves the rest. @param name of the thing, on this device */
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
