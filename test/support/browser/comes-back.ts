import type { Page } from "playwright-core";

/**
 * Somebody comes back to the tab after a while: then the page loads again what may be old.
 * @param address what must have been answered, as Playwright matches it
 */
export async function comesBack(page: Page, address: string): Promise<void> {
  const answered = page.waitForResponse(address);
  await page.evaluate(`{
    const now = Date.now.bind(Date);
    Date.now = () => now() + 120_000;
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }`);
  await answered;
}
