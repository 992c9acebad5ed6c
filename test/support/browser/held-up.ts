import type { Page } from "playwright-core";

/**
 * A slow network: what the page asks for at these addresses gets no answer until it goes on.
 * @param pattern as Playwright matches addresses
 * @param method of these requests alone
 * @returns `came`: the first of them is on its way; `goesOn`: ends when all of them are answered
 */
export async function heldUp(page: Page, pattern: string, method?: string) {
  const first = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  const answers: Promise<unknown>[] = [];
  await page.route(pattern, async (route) => {
    const request = route.request();
    if (method !== undefined && request.method() !== method) return await route.continue();
    // The page may not wait for it any more.
    answers.push(request.response().catch(() => null));
    first.resolve();
    await open.promise;
    await route.continue().catch(() => undefined);
  });
  return {
    came: first.promise,
    async goesOn(): Promise<void> {
      open.resolve();
      await page.unroute(pattern);
      await Promise.all(answers);
    },
  };
}
