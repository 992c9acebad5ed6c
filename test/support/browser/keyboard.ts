/** A person with a keyboard and no mouse. */
import type { Locator, Page } from "playwright-core";

/** Much longer than a browser on a busy machine needs to answer a key. */
const ANSWER_MS = 15_000;

/**
 * Presses a key. A browser never answers for a key that reached a frame just before the frame was replaced, as the
 * frame of a preview is; so the answer is awaited for some seconds only.
 */
export const press = (page: Page, key: string): Promise<unknown> =>
  Promise.race([page.keyboard.press(key), Bun.sleep(ANSWER_MS)]);

/** The name of the focused element, and whether the focus is visible. */
const FOCUSED = `(() => {
  const at = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  const isSeen = outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 2;
  const box = at.type === "checkbox" ? " " + at.labels[0].innerText.split("\\n")[0] : "";
  return (at.name || at.textContent.trim()) + box + (isSeen ? "" : " (no focus)");
})()`;

/** The next stops of the Tab key: a field by its `name`, anything else by its text; and where the focus is not visible. */
export async function tabStops(page: Page, count: number): Promise<string[]> {
  const stops: string[] = [];
  for (let n = 0; n < count; n++) {
    await press(page, "Tab");
    stops.push(await page.evaluate<string>(FOCUSED));
  }
  return stops;
}

/** Waits until a field has the focus, for example from a dialog or a screen: text typed before that goes elsewhere. */
export const hasFocus = (page: Page, field: Locator): Promise<void> =>
  field.and(page.locator(":focus")).waitFor();

/**
 * Goes to a screen by its two keys, `g` and a letter, and waits for its heading. Both are sent at once, because the
 * console treats keys more than a second and a half apart as two single keys.
 */
export async function goBy(page: Page, letter: string, title: string): Promise<void> {
  await Promise.all([page.keyboard.press("g"), page.keyboard.press(letter)]);
  await page.getByRole("heading", { name: title, level: 1, exact: true }).waitFor();
}

const PRESSES_MAX = 200;

/** Presses Tab (or Shift+Tab) until the focus is on the element; fails if it never comes there. */
export async function tabTo(page: Page, wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  let element = await wanted.elementHandle();
  for (let presses = 0; ; presses++) {
    const state = await element?.evaluate(stateOf);
    if (state === "focused") return;
    if (presses === PRESSES_MAX)
      throw new Error(`${key}, ${PRESSES_MAX} times, does not lead to ${String(wanted)}`);
    if (state === "gone") element = await wanted.elementHandle();
    await press(page, key);
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

/** Goes to a field by Tab, and replaces its text. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/**
 * Goes to a native list of choices by Tab, and by arrow keys to the choice with this name. Its letters are not
 * typed, because a browser forgets the first ones if the next comes a second later.
 */
export async function chooseNative(page: Page, field: Locator, name: string): Promise<void> {
  await field.locator("option").filter({ hasText: name }).first().waitFor({ state: "attached" });
  await tabTo(page, field);
  const chosen = (): Promise<string> => field.evaluate((list: any) => list.selectedOptions[0].label);
  await page.keyboard.press("Home");
  for (let presses = 0; (await chosen()) !== name; presses++) {
    if (presses === PRESSES_MAX) throw new Error(`The arrows do not lead to ${name}`);
    await page.keyboard.press("ArrowDown");
  }
}

/**
 * Gives a file to the next file chooser. Call it before the page is opened: the browser gets this order beside
 * other commands, and if a key comes first, it cancels the chooser by itself.
 */
export const chooserTakes = (
  page: Page,
  file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
): Promise<void> =>
  new Promise((resolve, reject) => {
    page.once("filechooser", (chooser) => void chooser.setFiles(file).then(resolve, reject));
  });

/** Runs in the page: a list that has just opened marks its choice in a timer, and this timer comes after it. */
const isMarked = async (choice: any): Promise<boolean> => {
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  const hasMark = choice.matches("[data-combobox-selected], [data-selected]");
  return hasMark || choice === choice.ownerDocument.activeElement;
};

/** Moves by arrow keys in an open menu or list of choices until one is marked, and takes it. */
export async function takeByArrows(page: Page, choice: Locator): Promise<void> {
  await choice.waitFor();
  for (let presses = 0; !(await choice.evaluate(isMarked)); presses++) {
    if (presses === PRESSES_MAX) throw new Error(`The arrows do not lead to ${String(choice)}`);
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await choice.waitFor({ state: "hidden" });
}

/** Opens a list of choices by its arrow key, and takes one. */
export async function chooseByArrows(page: Page, field: Locator, choice: Locator): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press("ArrowDown");
  await takeByArrows(page, choice);
}

/**
 * The Enter that ends a word of an input method, as browsers tell of it: Chrome on a Mac while the word is still open,
 * Safari when it is closed. It does not go through the keyboard, which knows no input method.
 */
export const endWord = (field: Locator, browser: "Chrome" | "Safari"): Promise<void> =>
  field.evaluate((input: any, isOpen) => {
    const { KeyboardEvent } = input.ownerDocument.defaultView;
    const about = { key: "Enter", code: "Enter", keyCode: 229, isComposing: isOpen };
    input.dispatchEvent(new KeyboardEvent("keydown", { ...about, bubbles: true, cancelable: true }));
  }, browser === "Chrome");
