import type { Page } from "playwright-core";
import { flowOf } from "../automations/automations.ts";
import type { TestApi } from "../server/api.ts";

/** Waits until the server has what was typed. */
export async function flowSaved(
  page: Page,
  api: TestApi,
  id: string,
  holds: (flow: any) => boolean,
): Promise<void> {
  await page.getByText(/^Saved /).waitFor();
  for (let at = 0; !holds(await flowOf(api, id)); at++) {
    if (at > 2_000) throw new Error(JSON.stringify(await flowOf(api, id)));
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
  }
}
