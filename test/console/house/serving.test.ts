/** How the console is built and served: what a browser gets, compressed and under which policy. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { builtConsole } from "#console/built.ts";
import type { Built } from "#console/manifest.ts";
import { consoleRoutes } from "#console/routes.ts";
import { seededRandom } from "../../support/common/dice.ts";
import { startConsole } from "../../support/browser/console.ts";
import type { TestApi } from "../../support/server/api.ts";

/** All that a browser loads before the first screen of the console is there, compressed (issue 17). */
const FIRST_LOAD_MAX = 250 * 1024;

let api: TestApi;
let built: Built;
beforeAll(async () => {
  api = await startConsole();
  built = builtConsole()!;
});
afterAll(() => api.stop());

/** Compressed answers as they come, not as `fetch` unpacks them. */
const get = (path: string, encoding = "br", init: RequestInit = {}) =>
  fetch(`${api.url}${path}`, {
    ...init,
    headers: { "accept-encoding": encoding, ...init.headers },
    decompress: false,
    redirect: "manual",
  });

const asset = (name: string): string => `/console/assets/${name}`;

describe("the page of the console", () => {
  test("is where `/` leads, and every address under /console", async () => {
    const first = await get("/");
    expect([first.status, first.headers.get("location")]).toEqual([302, "/console"]);
    const pages = await Promise.all(
      ["/console", "/console/sign-in", "/console/campaigns/x/y?z=1"].map((path) => get(path)),
    );
    for (const page of pages) {
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(await page.text()).toContain(asset(built.manifest.script));
    }
    expect((await get("/console", "br", { method: "HEAD" })).status).toBe(200);
    expect((await get("/console/x", "br", { method: "POST" })).status).toBe(405);
  });

  test("allows no script but its files, no style without its nonce, and no frame around it", async () => {
    const answers = [await get("/console"), await get("/console")];
    const nonces = answers.map(({ headers }) => {
      const policy = headers.get("content-security-policy")!.split("; ");
      const nonce = /'nonce-([^']+)'/.exec(policy.join())![1]!;
      expect(policy).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]);
      expect(Buffer.from(nonce, "base64")).toHaveLength(16);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      return nonce;
    });
    expect(nonces[0]).not.toBe(nonces[1]!);
    for (const [at, answer] of answers.entries()) {
      const text = await answer.text();
      expect(text).toContain(`<meta name="csp-nonce" content="${nonces[at]}">`);
      expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
    }
  });

  test("stands under BASE_URL's path, also where a proxy takes the path off", async () => {
    const routes = consoleRoutes({
      baseUrl: "https://news.example.org/mail/",
      version: "1",
      hasMailbox: false,
      hasBackups: true,
      passkeyOrigin: null,
      random: seededRandom(1),
    });
    const call = { request: new Request("http://x/"), params: {}, clientAddress: "", body: {} as never };
    const [home, page] = await Promise.all(routes.slice(0, 2).map((route) => route.handle(call)));
    expect(home!.headers.get("location")).toBe("/mail/console");
    expect(await page!.text()).toContain(`src="/mail${asset(built.manifest.script)}"`);
  });
});

describe("the files of the console", () => {
  test("come compressed as the client likes, are kept for ever, and unpack to the same", async () => {
    const path = asset(built.manifest.script);
    const [br, gzip, plain, both] = [
      await get(path),
      await get(path, "gzip"),
      await get(path, "identity"),
      await get(path, "gzip, deflate, br;q=0.5"),
    ];
    const encodings = [br, gzip, plain, both].map(({ headers }) => headers.get("content-encoding"));
    expect(encodings).toEqual(["br", "gzip", null, "br"]);
    const text = await plain.text();
    expect(brotliDecompressSync(await br.bytes()).toString()).toBe(text);
    expect(gunzipSync(await gzip.bytes()).toString()).toBe(text);
    expect(Object.fromEntries(br.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      etag: `"${built.manifest.script}"`,
      vary: "Accept-Encoding",
      "x-content-type-options": "nosniff",
    });
    expect((await get(path, "br;q=0")).headers.get("content-encoding")).toBeNull();
  });

  test("are those of the build and no others", async () => {
    expect((await get(asset(built.manifest.style))).headers.get("content-type")).toBe(
      "text/css; charset=utf-8",
    );
    for (const name of [
      "manifest.json",
      `${built.manifest.script}.br`,
      "..%2Fcurrent",
      "..%2f..%2f..%2fpackage.json",
      "main.js",
    ])
      expect([name, (await get(asset(name))).status]).toEqual([name, 404]);
  });

  test("needed before the first screen are small; editors and charts are loaded when somebody opens them", () => {
    const { script, preload, style, files } = built.manifest;
    const sizeOf = (name: string): number => Bun.file(built.pathOf(`${name}.br`)).size;
    const first = [script, style, ...preload].map(sizeOf).reduce((sum, size) => sum + size, 0);
    // A language, and the largest part that a first screen is made of, come after those.
    const screens = files.filter((name) => ![script, style, ...preload].includes(name));
    expect(screens.length).toBeGreaterThan(2);
    expect(first).toBeLessThan(FIRST_LOAD_MAX);
  });
});
