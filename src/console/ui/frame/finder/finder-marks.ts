import { createSpotlight } from "@mantine/spotlight";
import { useEffect } from "react";

const [store, actions] = createSpotlight();

/** The store of Ctrl-K, for the component that draws it, and the way to open it from elsewhere. */
export const finderStore = store;
export const openFinder = actions.open;

const MARK = "data-selected";

/**
 * Keeps one choice marked: Enter takes it, and arrow keys start from it. Results of the server arrive after the
 * letter was typed, when the mark is already set. They can remove the marked choice or come before it.
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
