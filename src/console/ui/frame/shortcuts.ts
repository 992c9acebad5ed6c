import { useEffect, useRef, useSyncExternalStore } from "react";
import { deviceMemory } from "./device-memory.ts";

export type Shortcut = { readonly keys: string; readonly says: string; readonly run: () => void };

/** All shortcuts that work now. The screen's own come after those of the frame, and `?` shows them in this order. */
const inForce = new Set<Shortcut>();

export const shortcutsInForce = (): Shortcut[] => [...inForce];

/**
 * Keys of a screen that is shown: one key (`c`), or two in sequence (`g c`). They are ignored while somebody types
 * into a field. Keys with Ctrl, Alt or Meta belong to the browser.
 */
export function useShortcut(keys: string, says: string, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const shortcut = { keys, says, run: () => latest.current() };
    inForce.add(shortcut);
    return () => void inForce.delete(shortcut);
  }, [keys, says]);
}

const KEPT_AS = "postrider.keys";

/** Whether keys work that are pressed alone. Who dictates, or whose hand is not sure, switches them off (WCAG 2.1.4). */
let areOn = deviceMemory.read(KEPT_AS) !== "off";
const watchers = new Set<() => void>();

export function switchKeys(on: boolean): void {
  areOn = on;
  deviceMemory.keep(KEPT_AS, on ? null : "off");
  for (const changed of watchers) changed();
}

export const useAreKeysOn = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => areOn,
  );

const TOGETHER_MS = 1_500;
let before = { key: "", at: 0 };

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest("input, textarea, select, [role=dialog], [role=menu]") !== null);

function runShortcut(event: KeyboardEvent): void {
  if (!areOn) return;
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || isTyping(event.target))
    return;
  const pair = event.timeStamp - before.at < TOGETHER_MS ? `${before.key} ${event.key}` : "";
  const found = shortcutsInForce().findLast(({ keys }) => keys === event.key || keys === pair);
  before = { key: event.key, at: event.timeStamp };
  if (found === undefined) return;
  event.preventDefault();
  found.run();
}

/** Listens, once for the whole console. */
export function useShortcutKeys(): void {
  useEffect(() => {
    window.addEventListener("keydown", runShortcut);
    return () => window.removeEventListener("keydown", runShortcut);
  }, []);
}
