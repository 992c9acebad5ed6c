import { createSpotlight } from "@mantine/spotlight";
import { useEffect } from "react";

const [store, actions] = createSpotlight();

/** What Ctrl-K opens, for who draws it, and how it is opened from elsewhere. */
export const finderStore = store;
export const openFinder = actions.open;

const MARK = "data-selected";

/**
 * Keeps one choice marked, which Enter takes and arrows start from. What the server finds comes after the letter that was
 * typed, when the mark was set already, and it takes the marked one away or comes before it.
 * @param choices what is shown: changes whenever they change
 */
export function useMark(choices: string): void {
  useEffect(() => {
    const { listId, query } = store.getState();
    const shown = [...(document.getElementById(listId)?.querySelectorAll("[data-action]") ?? [])];
    if (query === "" || shown.length === 0) return;
    const marked = shown.findIndex((choice) => choice.hasAttribute(MARK));
    if (marked < 0) shown[0]?.setAttribute(MARK, "true");
    store.updateState((state) => ({ ...state, selected: Math.max(0, marked) }));
  }, [choices]);
}
