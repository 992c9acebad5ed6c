/** Forms in the console, whatever their texts are. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, isWiderThanScreen, startConsole, visitAs } from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";

let api: TestApi;
closesBrowser();

const ATTACK = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

describe.skipIf(lacksBrowser())("forms in the console", () => {
  beforeAll(async () => {
    api = await startConsole();
  });
  afterAll(() => api.stop());

  test.each([
    { width: 1280, colorScheme: "light" },
    { width: 390, colorScheme: "dark" },
  ] as const)(
    "hostile texts stay in their boxes, also in the shown form ($width, $colorScheme)",
    async (look) => {
      const hostile = {
        name: ATTACK + "N".repeat(90),
        successMessage: ATTACK,
        fields: [ATTACK.slice(0, 60), "city"],
      };
      const form = (await api.call("POST", "/forms", hostile)).body.data;
      await api.call("PATCH", `/forms/${form.id}`, {
        style: { buttonText: ATTACK, buttonColor: ATTACK, language: ATTACK },
      });
      const visit = await visitAs(api, "viewer", look);
      const { page } = visit;
      await visit.open("/forms");
      await page.getByText(ATTACK).first().waitFor();
      expect(await isWiderThanScreen(page)).toBe(false);
      await visit.open(`/forms/${form.id}`);
      await page.frameLocator("iframe:not([hidden])").getByRole("button").waitFor();
      expect(await isWiderThanScreen(page)).toBe(false);
      expect(await page.getByRole("button", { name: "Save", exact: true }).count()).toBe(0);
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      await visit.end();
    },
  );
});
