/** Transactional mail, and bounces that nobody but a person can read, as somebody looks them up. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { addressesIn } from "#console/ui/screens/activity/addresses-in.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import {
  axeProblems,
  closesBrowser,
  isWiderThanScreen,
  startConsole,
  visitAs,
  type ConsoleVisit,
} from "../../support/browser/console.ts";
import { costMs } from "../../support/common/cpu-time.ts";
import { person } from "../../support/people/people.ts";
import { scriptedSmtp } from "../../support/sending/scripted-smtp.ts";
import { SENDER } from "../../support/sending/sending.ts";
import type { TestApi } from "../../support/server/api.ts";
import { post } from "../../support/server/transactional.ts";

closesBrowser();

/** Text that would run, or break out of its place, if anything let it. */
const HOSTILE = `<img src=x onerror=alert(1)>"'{{7*7}}<script>alert(2)</script>`;

const REPORT =
  `From: ${HOSTILE} <daemon@mx.example.net>\r\nSubject: Undelivered ${HOSTILE}\r\n` +
  'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n' +
  `--b\r\nContent-Type: text/html\r\n\r\n<p>Sorry, lost@example.com is unknown.</p>${HOSTILE}\r\n--b--\r\n`;

describe("the addresses in a mail that nobody could read", () => {
  test("are found once each in its text and its source, without its sender's", () => {
    const mail = {
      from: "MAILER-DAEMON <X@y.example>",
      text: "To: <Ada@example.com>, x@y.example; a@b, @c.example.",
      source: `ada@example.com (gone)\n${"@".repeat(100)}\ngrace+news@mail.example.org.`,
    };
    expect(addressesIn(mail)).toEqual(["ada@example.com", "grace+news@mail.example.org"]);
  });

  test("are no more than ten", () => {
    const text = Array.from({ length: 30 }, (_, n) => `${n}@example.com`).join(" ");
    expect(addressesIn({ text, source: "", from: "" })).toHaveLength(10);
  });

  test.each(["a", "a.", "a@", "@", "a@b", "a@b."])(
    "take time that grows with the mail, whatever stands there: %p again and again",
    async (part) => {
      const text = part.repeat(60_000 / part.length);
      expect(await costMs(() => addressesIn({ text, source: text, from: "" }))).toBeLessThan(1_000);
    },
  );
});

describe.skipIf(lacksBrowser())("mail in the activity", () => {
  const relay = scriptedSmtp({
    on: {
      RCPT: ({ rcptTo }) => (rcptTo[0] === "dead@example.com" ? "550 5.1.1 No such user here" : undefined),
    },
  });
  let api: TestApi;
  beforeAll(async () => {
    api = await startConsole({ smtpUrl: relay.url });
    await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
  });
  afterAll(async () => {
    await api.stop();
    relay.stop();
  });

  const looksWell = async ({ page }: ConsoleVisit): Promise<void> => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      expect([colorScheme, await axeProblems(page)]).toEqual([colorScheme, []]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await isWiderThanScreen(page)).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
  };

  test("a message is found by its address and outcome, and tells its story", async () => {
    const visit = await visitAs(api, "viewer");
    const { page, open, end } = visit;
    await open("/activity");
    await page.getByRole("heading", { name: "No transactional mail yet" }).waitFor();
    await person(api, "ada@example.com");
    await post(api, { to: ["ada@example.com", "dead@example.com"], tags: [HOSTILE] });
    await page.reload();
    await page.getByRole("row").filter({ hasText: "ada@example.com" }).getByText("Delivered").waitFor();
    const dead = page.getByRole("row").filter({ hasText: "dead@example.com" });
    await dead.getByText("The address does not exist", { exact: true }).waitFor();
    await dead.getByText("No such user here").waitFor();
    await looksWell(visit);

    await page.getByRole("searchbox", { name: "Search an address" }).fill("ADA@example.com");
    await page.keyboard.press("Enter");
    await dead.waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("email")).toBe("ADA@example.com");
    await page.reload();
    await page.getByRole("link", { name: "ada@example.com" }).click();
    await page.getByText("Your program asked for it").waitFor();
    await page.getByRole("listitem").filter({ hasText: "The mail server took it" }).waitFor();
    await page.getByText("What stood in the message is not kept.").waitFor();
    await looksWell(visit);
    await page.getByRole("link", { name: "What else is known of this person" }).click();
    await page.getByRole("heading", { name: "ada@example.com" }).waitFor();
    await end();
  });

  test("a bounce is shown as text, whatever is in it, and deleted after one question", async () => {
    const taken = await api.services.bounces.takeMail({
      raw: Buffer.from(REPORT),
      way: "mailbox",
      envelopeRecipients: [],
      workspaceIds: [api.workspaceId],
    });
    expect(taken).toBe("kept");
    await person(api, "lost@example.com");
    const viewer = await visitAs(api, "viewer");
    await viewer.open("/activity?tab=bounces");
    await viewer.page.getByRole("link", { name: /^Undelivered/ }).click();
    await viewer.page.getByRole("region", { name: "What it says" }).first().waitFor();
    expect(await viewer.page.getByRole("button", { name: "Delete" }).count()).toBe(0);
    await viewer.end();

    const visit = await visitAs(api, "editor");
    const { page, open, end } = visit;
    await open("/activity?tab=bounces");
    await page.getByRole("link", { name: /^Undelivered/ }).click();
    await page.getByText("The mail as it came").click();
    await page.locator("pre").filter({ hasText: "onerror=alert(1)" }).last().waitFor();
    expect(await page.locator("main img, main script").count()).toBe(0);
    await looksWell(visit);
    // Whose address stands in it need not be typed anew.
    await page.getByRole("button", { name: "Never mail lost@example.com again" }).click();
    await page.getByText("Suppressed: no mail goes there any more.").waitFor();
    expect((await api.call("GET", "/suppressions?q=lost@example.com")).body.data).toMatchObject([
      { email: "lost@example.com", reason: "HARD_BOUNCE" },
    ]);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { name: "Nothing to look at" }).waitFor();
    expect((await api.call("GET", "/bounces")).body.pagination.total).toBe(0);
    await end();
  });
});
