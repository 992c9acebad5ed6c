/** The screens of campaigns, reports and templates, for every role. How they look: looks.test.ts. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import {
  makeAudience,
  makeCampaign,
  reportOf,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

let api: SendingApi;
let paths: Record<string, string>;
closesBrowser();

const NOT_SCHEDULED = /^The campaign is no longer scheduled/;
const HOSTILE = `"><script>window.hurt=1</script><img src=x onerror=window.hurt=1>{{7*7}} \u202eolleh ${"W".repeat(90)}`;
const MJML = `<mjml><mj-body background-color="#f4f5f7"><mj-section background-color="#ffffff"><mj-column>
  <mj-text><p>Hello <a href="https://shop.example.org/">shop</a></p></mj-text>
  <mj-text><span style="color:red" onclick="window.hurt=1">styled</span><script>window.hurt=1</script></mj-text>
  <mj-image src="https://elsewhere.example.org/a.png" alt="" />
  <mj-button href="https://shop.example.org/">Go</mj-button>
  <mj-social><mj-social-element name="github" href="https://example.org/">Code</mj-social-element></mj-social>
  <mj-divider /><mj-spacer height="20px" /><mj-table css-class="x"><tr><td>x</td></tr></mj-table>
</mj-column></mj-section></mj-body></mjml>`;

async function makeWorld(): Promise<Record<string, string>> {
  const { listId } = await makeAudience(api, ["ada@example.com", "grace@example.com"]);
  await api.call("PATCH", `/lists/${listId}`, { name: HOSTILE });
  const draft = await makeCampaign(api, listId, { name: HOSTILE, subject: HOSTILE, body: MJML });
  await api.call("PATCH", `/campaigns/${draft}/options`, { format: "mjml", personalize: true });
  const sent = await makeCampaign(api, listId, { name: HOSTILE, subject: HOSTILE });
  await send(api, sent);
  expect((await reportOf(api, sent)).sent).toBe(2);
  return { blocks: `/campaigns/${draft}`, report: `/campaigns/${sent}/report` };
}

describe.skipIf(lacksBrowser())("the screens of campaigns and templates", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startSending();
    paths = await makeWorld();
  });
  afterAll(() => api.stop());

  test("markup in a letter is shown as blocks and does not run", async () => {
    const { page, open, end } = await visitAs(api);
    await open(paths["blocks"] ?? "");
    await page.locator(".piece .look-button").first().waitFor({ timeout: 60_000 });
    expect(await page.evaluate("window.hurt")).toBeUndefined();
    await end();
  }, 120_000);

  test("a viewer looks at all of it and can change nothing", async () => {
    const { page, open, end } = await visitAs(api, "viewer");
    await open(paths["blocks"] ?? "");
    await page.getByText("You can look at this campaign.").waitFor({ timeout: 60_000 });
    for (const name of ["Send me a test", "Schedule", "Add a section", "Undo"])
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "Subject" }).getAttribute("readonly")).not.toBeNull();
    await open("/campaigns");
    await page.locator(".data-table").waitFor();
    expect(await page.getByRole("link", { name: "New campaign" }).count()).toBe(0);
    await open("/campaigns/new");
    await page.getByText("Your role does not allow this").waitFor();
    await open(paths["report"] ?? "");
    await page.locator(".report-people").waitFor();
    expect(await page.getByRole("button", { name: "Write to those who did not open" }).count()).toBe(0);
    await end();
  });

  test("what could not be saved is there again when the page is opened anew, and is saved then", async () => {
    const { page, open } = await visitAs(api);
    await page.route("**/api/v1/campaigns/*", (route) =>
      route.request().method() === "PATCH" ? route.abort() : route.continue(),
    );
    await open(paths["blocks"] ?? "");
    const subject = page.getByRole("textbox", { name: "Subject" });
    await subject.fill("Written on a train");
    await page.getByText(/^Not saved/).waitFor({ timeout: 60_000 });
    await page.unrouteAll();
    await page.reload();
    await page.getByText("Changes that had not been saved were brought back.").waitFor({ timeout: 60_000 });
    expect(await subject.inputValue()).toBe("Written on a train");
    await page.getByText(/^Saved \d/).waitFor({ timeout: 60_000 });
    const id = /campaigns\/([^/?]+)/.exec(page.url())?.[1] ?? "";
    expect((await api.call("GET", `/campaigns/${id}`)).body.data.subject).toBe("Written on a train");
    await page.context().close();
  });

  test("what was counted for one audience is never shown for another", async () => {
    const { listId } = await makeAudience(api, ["linus@example.com"]);
    const id = await makeCampaign(api, listId, { name: "Counted" });
    await api.call("PATCH", `/campaigns/${id}`, { listId: null });
    const name = "Counted readers";
    await api.call("PATCH", `/lists/${listId}`, { name });
    const { page, open, end } = await visitAs(api);
    await open(`/campaigns/${id}`);
    await page.getByText("Nobody yet").waitFor({ timeout: 60_000 });
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/check", (route) => mayAnswer.then(() => route.continue()));
    await page.getByRole("combobox", { name: "List", exact: true }).click();
    const asked = page.waitForRequest("**/check");
    await page.getByRole("option", { name }).click();
    await asked;
    await page.getByText("Counting …").waitFor({ timeout: 60_000 });
    expect(await page.getByText(/0 people|Why not/).count()).toBe(0);
    answer();
    await page.getByText("1 person", { exact: true }).waitFor({ timeout: 60_000 });
    await page.unrouteAll();
    await end();
  }, 120_000);

  test("a scheduled campaign that loses its list says at once that it is not scheduled any more", async () => {
    const { listId } = await makeAudience(api, ["barbara@example.com"]);
    const id = await makeCampaign(api, listId, { name: "In a week" });
    const scheduledAt = new Date(Date.now() + 7 * 86_400_000).toISOString();
    await api.call("POST", `/campaigns/${id}/schedule`, { scheduledAt });
    const { page, open, end } = await visitAs(api);
    const bar = page.locator(".send-bar");
    await open(`/campaigns/${id}`);
    await bar.getByText(/^Goes out/).waitFor({ timeout: 60_000 });
    await page.getByRole("textbox", { name: "Subject" }).fill("Still in a week");
    await page.getByText(/^Saved \d/).waitFor({ timeout: 60_000 });
    expect([await bar.getByText(/^Goes out/).count(), await page.getByText(NOT_SCHEDULED).count()]).toEqual([
      1, 0,
    ]);
    await page.locator(".mantine-Select-root", { hasText: "List" }).locator("button").click();
    await page.getByText(NOT_SCHEDULED).waitFor({ timeout: 60_000 });
    await bar.getByText(/^Goes out/).waitFor({ state: "detached" });
    await bar.getByRole("button", { name: "Schedule", exact: true }).waitFor();
    expect(await bar.getByText("Choose a list or a segment first.").count()).toBe(1);
    expect((await api.call("GET", `/campaigns/${id}`)).body.data).toMatchObject({
      status: "DRAFT",
      listId: null,
    });
    await end();
  }, 120_000);

  test("who did not open it gets the letter in one click: a segment and a copy, and nothing is sent", async () => {
    const { page, open, end } = await visitAs(api);
    const before = api.relay.accepted.length;
    await open(paths["report"] ?? "");
    await page.getByRole("button", { name: "Write to those who did not open" }).click();
    await page.getByText("2 people", { exact: true }).waitFor({ timeout: 60_000 });
    const id = /campaigns\/([^/?]+)/.exec(page.url())?.[1] ?? "";
    const options = await api.call("GET", `/campaigns/${id}/options`);
    const segment = await api.call("GET", `/segments/${options.body.data.segmentId}`);
    expect(segment.body.data.name).toStartWith("Did not open: ");
    expect(api.relay.accepted.length).toBe(before);
    await end();
  });
});
