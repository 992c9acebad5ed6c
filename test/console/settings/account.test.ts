/** A person's own account in a real browser: passkeys, codes of an app, and signing out everywhere. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { decodeQR } from "qr/decode.js";
import type { TestApi } from "../../support/server/api.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import {
  axeProblems,
  closesBrowser,
  isWiderThanScreen,
  startConsole,
  visitAs,
  visitConsole,
} from "../../support/browser/console.ts";
import { startFront } from "../../support/browser/front.ts";
import { PASSWORD } from "../../support/server/signed-in.ts";

closesBrowser();

/** The service under a host name: browsers make no passkeys for the addresses that tests have. */
let api: TestApi;
let named: TestApi;
const door = startFront(() => api.url);
const ORIGIN = `http://localhost:${door.port}`;

/** A device of software that belongs to the browser, and says yes at once. */
async function withDevice(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/**
 * A password manager in the browser: it answers with an object of its own that looks like the browser's. The methods that
 * it inherits (`toJSON()`, `getPublicKey()`) throw there.
 */
async function withPasswordManager(page: Page): Promise<void> {
  await withDevice(page);
  await page.addInitScript(() => {
    const looksLike = <T extends object>(own: object, real: T): T =>
      Object.setPrototypeOf(own, Object.getPrototypeOf(real));
    const { credentials } = navigator as any;
    for (const name of ["create", "get"] as const) {
      const ask = credentials[name].bind(credentials);
      credentials[name] = async (options: unknown) => {
        const real = await ask(options);
        const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = real.response;
        const bytes = { clientDataJSON, attestationObject, authenticatorData, signature, userHandle };
        const response = looksLike(bytes, real.response);
        return looksLike({ id: real.id, rawId: real.rawId, type: real.type, response }, real);
      };
    }
  });
}

async function signOut(page: Page, email: string): Promise<void> {
  await page.getByRole("button", { name: email }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}

/** What a phone reads from the square on the screen. */
async function scanned(page: Page, name: string): Promise<string> {
  const square = page.getByRole("img", { name });
  const size = Number((await square.getAttribute("viewBox"))!.split(" ")[2]);
  const dark = [...(await square.locator("path").getAttribute("d"))!.matchAll(/M(\d+) (\d+)h1v1h-1z/g)];
  const scale = 4;
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y] of dark)
    for (let n = 0; n < scale * scale; n++) {
      const column = Number(x) * scale + (n % scale);
      const row = Number(y) * scale + Math.floor(n / scale);
      data.set([0, 0, 0], (row * side + column) * 4);
    }
  return decodeQR({ width: side, height: side, data }, { timeLimit: Number.MAX_SAFE_INTEGER });
}

describe.skipIf(lacksBrowser())("the account", () => {
  beforeAll(async () => {
    api = await startConsole({ baseUrl: ORIGIN });
    named = { ...api, url: ORIGIN };
  });
  afterAll(async () => {
    await door.stop();
    await api.stop();
  });

  test("who could not be signed out is told so, and is once the server answers", async () => {
    const { page, person, open, end } = await visitAs(api, "viewer");
    await open("/");
    await page.route("**/api/v1/session", (route) =>
      route.request().method() === "DELETE" ? route.fulfill({ status: 503, body: "" }) : route.continue(),
    );
    await page.getByRole("button", { name: person.email }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("alert").getByText("You are still signed in").waitFor();
    expect(page.url()).not.toContain("sign-in");
    await page.unroute("**/api/v1/session");
    await signOut(page, person.email);
    expect((await person.call("GET", "/session")).status).toBe(401);
    await end([401, 503]);
  });

  test("a passkey that a password manager keeps is added and signs in", async () => {
    const visit = await visitAs(named, "editor");
    const { page, person } = visit;
    await withPasswordManager(page);
    await visit.open("/settings/account");
    await page.getByLabel("Name of the passkey").fill("Manager");
    await page.getByLabel("Name of the passkey").press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "Manager", exact: true }).waitFor();
    await signOut(page, person.email);
    await visit.open("/lists");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByRole("heading", { name: "Lists", exact: true }).waitFor();
    await visit.end([401]);
  });

  test("a passkey is added and signs in, by keyboard alone, to where the person wanted; removed it does not", async () => {
    const visit = await visitAs(named, "editor");
    const { page, person } = visit;
    await withDevice(page);
    await visit.open("/settings/account");
    await page.getByLabel("Name of the passkey").focus();
    await page.keyboard.type("Ada's <b>laptop</b>");
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "Ada's <b>laptop</b>", exact: true }).waitFor();
    await page.getByText("Passkeys work at localhost only").waitFor();

    await signOut(page, person.email);
    await visit.open("/lists");
    await page.getByLabel("Email address").waitFor();
    await page.getByRole("button", { name: "Sign in with a passkey" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Lists", exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/console/lists");

    await visit.open("/settings/account");
    await page.getByRole("button", { name: "Remove Ada's <b>laptop</b>" }).click();
    await page.getByRole("dialog").getByRole("textbox").fill("Ada's <b>laptop</b>");
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: "Ada's <b>laptop</b>", exact: true }).waitFor({ state: "detached" });
    await signOut(page, person.email);
    const signIn = page.getByRole("button", { name: "Sign in with a passkey" });
    await page.route("**/passkey/options", (route) => route.fulfill({ status: 502, body: "Bad Gateway" }));
    await signIn.click();
    await page.getByText("Postrider cannot be reached").waitFor();
    await page.unrouteAll();
    await signIn.click();
    await page.getByText("The passkey was not accepted").waitFor();
    await visit.end([401, 502]);
  });

  test("where browsers make no passkeys, the reason stands in place of the button", async () => {
    const visit = await visitConsole(api);
    const { page } = visit;
    await visit.open("/sign-in");
    await page.getByText(`Passkeys work at ${ORIGIN} only.`).waitFor();
    expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
    await visit.end([401]);
  });

  test("a password is sent as it was typed, with the spaces around it", async () => {
    const { page, open, end } = await visitAs(api, "viewer");
    await open("/settings/account");
    const codes = page.getByRole("region", { name: "Codes at sign-in" });
    await codes.getByLabel("Current password").fill(" two spaces ");
    const answered = page.waitForResponse("**/api/v1/session/totp");
    await page.keyboard.press("Enter");
    const answer = await answered;
    expect(answer.request().postDataJSON()).toEqual({ password: " two spaces " });
    await end([answer.status()]);
  });

  test("the square for an app says what the secret does, in both looks and on a phone", async () => {
    const visit = await visitAs(named, "viewer");
    const { page } = visit;
    await visit.open("/settings/account");
    const codes = page.getByRole("region", { name: "Codes at sign-in" });
    await codes.getByLabel("Current password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await codes.getByRole("img").waitFor();
    const secret = await codes.locator("code").innerText();
    const uri = await scanned(page, "QR code for an authenticator app");
    expect(uri).toStartWith("otpauth://totp/Postrider:");
    expect(new URL(uri).searchParams.get("secret")).toBe(secret);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      expect([colorScheme, await axeProblems(page)]).toEqual([colorScheme, []]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await isWiderThanScreen(page)).toBe(false);
    await visit.end();
  });

  test("signed out everywhere else, another browser is led to sign in at its next request, and back", async () => {
    const here = await visitAs(named, "owner");
    const other = await visitConsole(named);
    await other.open("/sign-in");
    await other.page.getByLabel("Email address").fill(here.person.email);
    await other.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await other.page.keyboard.press("Enter");
    await other.page.getByRole("heading", { name: "Overview" }).waitFor();

    await here.open("/settings/account");
    await here.page.getByRole("button", { name: "Sign out everywhere else (1)" }).focus();
    await here.page.keyboard.press("Enter");
    await here.page.getByRole("button", { name: /everywhere else/ }).waitFor({ state: "detached" });
    await other.page.getByRole("link", { name: "Campaigns" }).first().click();
    await other.page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(other.page.url()).searchParams.get("next")).toBe("/campaigns");
    await other.page.getByLabel("Email address").fill(here.person.email);
    await other.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await other.page.keyboard.press("Enter");
    await other.page.getByRole("heading", { name: "Campaigns", exact: true }).waitFor();
    await here.page.reload();
    await here.page.getByRole("heading", { name: "Where you are signed in" }).waitFor();
    await other.end([401]);
    await here.end();
  });
});
