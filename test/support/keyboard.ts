/** A person with a keyboard and no mouse. */
import type { Page } from "playwright-core";

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
