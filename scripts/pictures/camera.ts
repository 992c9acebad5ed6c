/** Pictures of the console as a signed-in person sees it. */
import type { Browser, Page } from "playwright-core";
import type { TestApi } from "../../test/support/server/api.ts";
import { signedIn } from "../../test/support/server/signed-in.ts";

type Look = {
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  readonly height: number;
};

/** From 0 to 1. With this, text stays sharp, and a picture is a third of its PNG. */
const QUALITY = 0.92;

/** A screen is complete when no request is open any more. */
const DRAWN =
  "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))" +
  ".then(() => Promise.allSettled(document.getAnimations().map((one) => one.finished)))";

export function camera(browser: Browser, api: TestApi) {
  const owner = signedIn(api, "owner", { email: "ada@riders.example" });
  /** A page without a policy, on which pictures are combined and made smaller. */
  const desk = browser.newPage({ viewport: { width: 1280, height: 900 } });

  /** @returns takes the picture of a path under `/console`, as soon as the selector is there */
  const open = async ({ colorScheme, width, height }: Look) => {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height },
      locale: "en-GB",
      reducedMotion: "reduce",
    });
    const [name = "", value = ""] = (await owner).cookie.split("=");
    await context.addCookies([{ name, value, url: api.url, httpOnly: true, sameSite: "Lax" }]);
    const page = await context.newPage();
    return async (path: string, ready: string): Promise<Uint8Array> => {
      await page.goto(`${api.url}/console${path}`);
      await page.locator(ready).first().waitFor();
      await page.waitForLoadState("networkidle");
      await Promise.all(page.frames().map((frame) => frame.waitForLoadState("load")));
      await page.evaluate(DRAWN);
      return await smaller(await desk, await page.screenshot());
    };
  };

  return {
    open,
    beside: async (pictures: readonly Uint8Array[]) => await phones(await desk, pictures),
    end: async () => await (await desk).close(),
  };
}

const address = (type: string, picture: Uint8Array): string =>
  `data:image/${type};base64,${Buffer.from(picture).toString("base64")}`;

/** Chromium writes WebP itself, so no library has to. */
async function smaller(page: Page, png: Uint8Array): Promise<Uint8Array> {
  const written: string = await page.evaluate(
    `(async () => {
      const image = new Image();
      image.src = ${JSON.stringify(address("png", png))};
      await image.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext("2d").drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", ${QUALITY});
    })()`,
  );
  return Buffer.from(written.slice(written.indexOf(",") + 1), "base64");
}

/** Screens of a phone, side by side, without a background, so that they fit on a page of any colour. */
async function phones(page: Page, pictures: readonly Uint8Array[]): Promise<Uint8Array> {
  const images = pictures.map((picture) => `<img src="${address("webp", picture)}">`);
  await page.setContent(
    `<style>
      body { margin: 0; background: transparent }
      main { display: flex; gap: 20px; width: max-content; padding: 1px }
      img { border-radius: 18px; outline: 1px solid #8888 }
    </style><main>${images.join("")}</main>`,
  );
  await page.waitForLoadState("load");
  return await smaller(page, await page.locator("main").screenshot({ omitBackground: true }));
}
