import type { Page } from "playwright-core";

/**
 * Somebody comes back to the tab after a while: then the page loads again what may be old. It is not asked for anew while
 * the answer of before is still being taken in, so they come back until something is answered.
 * @param address what must have been answered, as Playwright matches it
 */
export async function comesBack(page: Page, address: string): Promise<void> {
  const answered = page.waitForResponse(address).then(() => true);
  await page.evaluate(`{
    const now = Date.now.bind(Date);
    Date.now = () => now() + 120_000;
  }`);
  do await page.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
  while (!(await Promise.race([answered, Bun.sleep(2_000).then(() => false)])));
}
