/** A person with a keyboard and no mouse. */
import type { Locator, Page } from "playwright-core";

/** Name of what has the focus, and whether that is seen. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const isSeen = outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 2;
  const box = at.type === "checkbox" ? " " + at.labels[0].innerText.split("\\n")[0] : "";
  return (at.name || at.textContent.trim()) + box + (isSeen ? "" : " (no focus)");
})()`;

/** The next stops of the Tab key: a field by its `name`, anything else by its text; and where the focus is not seen. */
export async function tabStops(page: Page, count: number): Promise<string[]> {
  const stops: string[] = [];
  for (let n = 0; n < count; n++) {
    await page.keyboard.press("Tab");
    stops.push(await page.evaluate<string>(FOCUSED));
  }
  return stops;
}

/** Waits until a field has the focus, as where a dialog or a screen gives it: what is typed before goes elsewhere. */
export const hasFocus = (page: Page, field: Locator): Promise<void> =>
  field.and(page.locator(":focus")).waitFor();

const PRESSES_MAX = 200;

/** Presses Tab (or Shift+Tab) until the focus is where it is wanted; fails where it never comes. */
export async function tabTo(page: Page, wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  let element = await wanted.elementHandle();
  for (let presses = 0; ; presses++) {
    const state = await element?.evaluate(stateOf);
    if (state === "focused") return;
    if (presses === PRESSES_MAX)
      throw new Error(`${key}, ${PRESSES_MAX} times, does not lead to ${String(wanted)}`);
    if (state === "gone") element = await wanted.elementHandle();
    await page.keyboard.press(key);
  }
}

/** Runs in the page. */
function stateOf(element: any): "focused" | "gone" | "elsewhere" {
  if (!element.isConnected) return "gone";
  return element === element.ownerDocument.activeElement ? "focused" : "elsewhere";
}

/** Goes to a button or a link by Tab, and presses it. */
export async function pressOn(page: Page, wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await tabTo(page, wanted, key);
  await page.keyboard.press("Enter");
}

/** Goes to a field by Tab, and types over what stands in it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/** A choice that was taken closes its list within this time; where it stays open, the key was not taken as one. */
const TAKEN_MS = 10_000;

/**
 * Goes on by arrows in an open menu or list of choices until one of them is marked, and takes it. A list that has just
 * opened can mark a choice and not take it by Enter: then the arrow is pressed once more, as a person does.
 */
export async function takeByArrows(page: Page, choice: Locator): Promise<void> {
  await choice.waitFor();
  const isMarked = (): Promise<boolean> =>
    choice.evaluate(
      (element: any) =>
        element === element.ownerDocument.activeElement || element.hasAttribute("data-combobox-selected"),
    );
  const isTaken = (): Promise<boolean> =>
    choice.waitFor({ state: "hidden", timeout: TAKEN_MS }).then(
      () => true,
      () => false,
    );
  for (let presses = 0; presses < PRESSES_MAX; presses++) {
    if (await isMarked()) {
      await page.keyboard.press("Enter");
      if (await isTaken()) return;
    }
    await page.keyboard.press("ArrowDown");
  }
  throw new Error(`The arrows do not lead to ${String(choice)}`);
}

/** Opens a list of choices by its arrow key, and takes one. */
export async function chooseByArrows(page: Page, field: Locator, choice: Locator): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ArrowDown");
  await takeByArrows(page, choice);
}
