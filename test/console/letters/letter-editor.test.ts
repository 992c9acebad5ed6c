/** The editor of letters in a browser: images that are uploaded, blocks that are dragged, what is kept of what it does not know. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { buildConsole } from "../../../scripts/console/build.ts";
import { lacksBrowser } from "../../support/browser/browser.ts";
import { closesBrowser, visitAs } from "../../support/browser/console.ts";
import { hasFocus } from "../../support/browser/keyboard.ts";
import { eventually } from "../../support/common/eventually.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { png } from "../../support/server/images.ts";

let api: TestApi;
closesBrowser();

const PATIENCE_MS = 60_000;
const LETTER = `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text  align = 'center'>first</mj-text >
        <acme-clock  zone='x'/>
        <mj-image src="" alt="" />
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>`;

async function draft(): Promise<string> {
  const made = await api.call("POST", "/campaigns", { name: "Draft", subject: "Hello", body: LETTER });
  await api.call("PATCH", `/campaigns/${made.body.data.id}/options`, { format: "mjml" });
  return made.body.data.id;
}

const bodyOf = async (id: string): Promise<string> =>
  (await api.call("GET", `/campaigns/${id}/content`)).body.data.body;

describe.skipIf(lacksBrowser())("the editor of letters", () => {
  beforeAll(async () => {
    await buildConsole();
    api = await startApi();
  });
  afterAll(() => api.stop());

  test(
    "an image is uploaded into its block; the rest of the letter keeps its bytes, what is unknown too",
    async () => {
      const id = await draft();
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await page.getByText("No image chosen yet").click();
      await page.getByRole("button", { name: "Choose an image" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("No images yet").waitFor({ timeout: PATIENCE_MS });
      const file = { name: "logo.png", mimeType: "image/png", buffer: Buffer.from(png(40, 20)) };
      await dialog.locator("input[type=file]").setInputFiles(file);
      await page.locator(".look-image").waitFor({ timeout: PATIENCE_MS });
      await page.getByText(/^Saved \d/).waitFor({ timeout: PATIENCE_MS });
      const [media] = (await api.call("GET", "/media")).body.data;
      expect(media).toMatchObject({ name: "logo.png", width: 40, height: 20 });
      expect(await bodyOf(id)).toBe(
        LETTER.replace(`<mj-image src="" alt="" />`, `<mj-image src="${media.url}" alt="" width="40px" />`),
      );
      await end();
    },
    2 * PATIENCE_MS,
  );

  test("a block that was added is the one whose fields are open, and its link is made whole", async () => {
    const id = await draft();
    const { page, open, end } = await visitAs(api);
    await open(`/campaigns/${id}`);
    await page.getByRole("button", { name: "Add a block" }).first().click();
    await page.getByRole("menuitem", { name: "Button" }).click();
    const fields = page.getByRole("group", { name: "Button", exact: true });
    await fields.waitFor();
    expect(await page.locator("[data-selected]").count()).toBe(1);
    await fields.getByLabel("Where it leads").fill("www.example.com/shop");
    await page.getByRole("textbox", { name: "Subject" }).click();
    await eventually(async () =>
      (await bodyOf(id)).includes(`<mj-button href="https://www.example.com/shop"`),
    );
    await end();
  });

  test(
    "a block is dragged by its handle to where it is dropped, and undo brings the old bytes back",
    async () => {
      const id = await draft();
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      const text = page.getByText("first", { exact: true });
      await text.hover();
      const handle = page.getByRole("button", { name: "Drag: Text" });
      // Firefox drags nothing by a button.
      expect(await handle.evaluate((element: any) => element.tagName)).not.toBe("BUTTON");
      await handle.dragTo(page.getByText("No image chosen yet"), { targetPosition: { x: 40, y: 90 } });
      await page.getByText("Text moved.").waitFor({ state: "attached", timeout: PATIENCE_MS });
      await page.getByText(/^Saved \d/).waitFor({ timeout: PATIENCE_MS });
      const moved = await bodyOf(id);
      expect(moved.indexOf("first")).toBeGreaterThan(moved.indexOf("<mj-image"));
      const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH");
      await page.getByRole("button", { name: "Undo" }).click();
      await saved;
      expect(await bodyOf(id)).toBe(LETTER);
      await end();
    },
    2 * PATIENCE_MS,
  );

  test("the text that is open stands in nothing that can be dragged: Firefox puts no cursor there", async () => {
    const { page, open, end } = await visitAs(api);
    await open(`/campaigns/${await draft()}`);
    await page.getByText("first", { exact: true }).click();
    await page.getByRole("button", { name: "Drag: Text" }).waitFor();
    const text = page.getByRole("textbox", { name: "Text", exact: true });
    expect(await text.evaluate((element: any) => element.closest("[draggable=true]") === null)).toBe(true);
    expect(await page.locator("[draggable=true]").count()).toBeGreaterThan(0);
    await end();
  });

  test(
    "what undo and redo bring back stands in the text that is open, and typing goes on from there",
    async () => {
      const id = await draft();
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await page.getByText("first", { exact: true }).click();
      const text = page.getByRole("textbox", { name: "Text", exact: true });
      await text.click();
      await page.keyboard.press("End");
      await page.keyboard.type(" draft");
      await text.getByText("first draft").waitFor({ timeout: PATIENCE_MS });
      await page.getByRole("button", { name: "Undo" }).click();
      await text.getByText("first", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      await page.getByRole("button", { name: "Redo" }).click();
      await text.getByText("first draft").waitFor({ timeout: PATIENCE_MS });
      await page.getByRole("button", { name: "Undo" }).click();
      await text.getByText("first", { exact: true }).waitFor({ timeout: PATIENCE_MS });
      await text.click();
      await page.keyboard.press("End");
      await page.keyboard.type("!");
      await eventually(async () => (await bodyOf(id)).includes(">first!<"));
      expect(await bodyOf(id)).toBe(LETTER.replace("first", "first!"));
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      await page.keyboard.type("last");
      await eventually(async () => (await bodyOf(id)).includes("<p>first!</p><p><br></p><p>last</p>"));
      expect(await text.getByRole("paragraph").count()).toBe(3);
      await end();
    },
    2 * PATIENCE_MS,
  );

  test(
    "of a letter with many blocks only the one that somebody is at has tools, and all can be reached by the keyboard",
    async () => {
      const id = await draft();
      const section = "<mj-section><mj-column><mj-text>one more</mj-text></mj-column></mj-section>";
      const body = LETTER.replace("  </mj-body>", `${section.repeat(80)}\n  </mj-body>`);
      await api.call("PATCH", `/campaigns/${id}`, { body });
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await page.getByText("one more").nth(79).waitFor({ timeout: PATIENCE_MS });
      const tools = page.locator(".piece-tools");
      expect(await tools.count()).toBe(0);
      await page.locator(".piece-block").first().focus();
      await page.getByRole("button", { name: "Move down: Text" }).waitFor({ timeout: PATIENCE_MS });
      // Its section is hidden behind it.
      expect(await tools.count()).toBe(2);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await hasFocus(page, page.getByRole("button", { name: "Move down: Text" }));
      await end();
    },
    2 * PATIENCE_MS,
  );

  test(
    "what is pasted from an office program is text of the letter, and the page's policy has nothing to stop",
    async () => {
      const id = await draft();
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await page.getByText("first", { exact: true }).click();
      const text = page.getByRole("textbox", { name: "Text", exact: true });
      await text.click();
      await hasFocus(page, text);
      await page.keyboard.press("End");
      // The editor learns of the key a moment later; of what is typed it learns at once.
      await page.keyboard.type(",");
      await text.getByText("first,").waitFor();
      const html = `<b style="font-weight:normal"><p style="color:red">plain <span style="font-weight:700">bold</span></p></b>`;
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/html", ${JSON.stringify(html)});
        const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(paste);
      })()`);
      await eventually(async () => (await bodyOf(id)).includes("bold"));
      expect(await bodyOf(id)).toBe(LETTER.replace("first", "first,plain <strong>bold</strong>"));
      await end();
    },
    2 * PATIENCE_MS,
  );

  test(
    "an alignment that is chosen is shown and saved, and one that nobody chose is shown as it will look",
    async () => {
      const id = await draft();
      const body = LETTER.replace("<acme-clock", "<mj-text>second</mj-text>\n        <acme-clock");
      await api.call("PATCH", `/campaigns/${id}`, { body });
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      const align = page.getByRole("radiogroup", { name: "Align" });
      const isChosen = (side: string) =>
        align.getByRole("radio", { name: side, checked: true }).waitFor({ state: "attached" });
      const side = () =>
        page.evaluate(`getComputedStyle(document.querySelector(".piece-block .ProseMirror p")).textAlign`);
      await page.getByText("second", { exact: true }).click();
      await isChosen("Left");
      await page.getByText("No image chosen yet").click();
      await isChosen("Centre");
      await page.getByText("first", { exact: true }).click();
      await isChosen("Centre");
      expect(await side()).toBe("center");

      await align.getByText("Right").click();
      await eventually(
        async () => (await bodyOf(id)) === body.replace("  align = 'center'", ` align="right"`),
      );
      expect(await side()).toBe("right");
      await page.getByRole("button", { name: "Undo" }).click();
      await isChosen("Centre");
      await eventually(async () => (await bodyOf(id)) === body);
      await end();
    },
    2 * PATIENCE_MS,
  );

  test(
    "a link of the social ones gets words as they are typed, and one that is removed leaves the others alone",
    async () => {
      const id = await draft();
      const link = (name: string) =>
        `<mj-social-element name="${name}" src="https://example.com/${name}.png" href="https://example.com/${name}" >${name}</mj-social-element >`;
      const bodyWith = (...links: string[]) =>
        LETTER.replace("<acme-clock", `<mj-social>${links.join("")}</mj-social>\n        <acme-clock`);
      await api.call("PATCH", `/campaigns/${id}`, { body: bodyWith(link("x"), link("github")) });
      const { page, open, end } = await visitAs(api);
      await open(`/campaigns/${id}`);
      await page.locator(".look-social").click();
      const words = page.getByRole("textbox", { name: "Words beside it" });
      await words.nth(1).fill("");
      await words.nth(1).pressSequentially("Our code");
      expect(await words.nth(1).inputValue()).toBe("Our code");
      await page.getByRole("button", { name: "Remove link" }).first().click();
      await eventually(async () => !(await bodyOf(id)).includes(`name="x"`));
      expect(await bodyOf(id)).toBe(bodyWith(link("github").replace(">github<", ">Our code<")));
      await end();
    },
    2 * PATIENCE_MS,
  );

  test.each([1280, 1440, 390])("a social link has room for its address, at %i pixels", async (width) => {
    const id = await draft();
    const social = `<mj-social><mj-social-element name="web" href=""></mj-social-element></mj-social>`;
    await api.call("PATCH", `/campaigns/${id}`, {
      body: LETTER.replace("<acme-clock", `${social}<acme-clock`),
    });
    const { page, open, end } = await visitAs(api, "editor", { width });
    await open(`/campaigns/${id}?side=write`);
    await page.locator(".look-social").click();
    const address = await page.getByRole("textbox", { name: "Where it leads" }).boundingBox();
    expect(address?.width).toBeGreaterThan(180);
    await end();
  });

  test.each(["editor", "viewer"] as const)(
    "a look of the %s at a source with other line ends writes nothing; what is typed is written",
    async (role) => {
      const body = "<p>Hello</p>\r\n<p>you</p>\r\n";
      const made = await api.call("POST", "/campaigns", { name: "From Windows", subject: "Hello", body });
      const { id } = made.body.data;
      const { page, open, end } = await visitAs(api, role);
      const saves: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "PATCH") saves.push(Object.keys(request.postDataJSON()).join());
      });
      const source = page.locator(".cm-content");
      await open(`/campaigns/${id}`);
      await source.getByText("<p>you</p>").waitFor();
      if (role === "editor") {
        // What differs is saved together.
        await page.getByRole("textbox", { name: "Subject" }).fill("Hello again");
        await page.getByText(/^Saved \d/).waitFor();
        expect([saves, await bodyOf(id)]).toEqual([["subject"], body]);
        await source.getByText("<p>Hello</p>").click();
        await page.keyboard.press("Control+Home");
        await page.keyboard.type("a");
        await eventually(async () => (await bodyOf(id)) === "a<p>Hello</p>\n<p>you</p>\n");
      }
      // Whoever leaves saves what is not saved.
      await page.getByRole("link", { name: "Campaigns" }).first().click();
      await page.getByRole("heading", { name: "Campaigns", level: 1 }).waitFor();
      expect(saves).toEqual(role === "editor" ? ["subject", "body"] : []);
      await end();
    },
    2 * PATIENCE_MS,
  );
});
