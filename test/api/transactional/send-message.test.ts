import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { inNewWorkspace } from "../../support/server/api.ts";
import { SENDER, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { lastMail, post, RECEIPT } from "../../support/server/transactional.ts";

let service: SendingApi;
let api: SendingApi;
beforeAll(async () => {
  service = await startSending();
});
beforeEach(async () => {
  api = await inNewWorkspace(service);
  await set(SENDER);
});
afterAll(() => service.stop());

const set = (change: object) => api.services.workspaces.changeSettings(api.workspaceId, change);

describe("the message", () => {
  test("text alone: one part, no footer, no tracking, no List fields", async () => {
    await post(api, { text: "Grüße\nvon https://example.com/a" });
    const { raw, mail } = await lastMail(api);
    expect(mail.text).toBe("Grüße\nvon https://example.com/a\n");
    expect(mail.html).toBeUndefined();
    expect(raw).not.toMatch(/^(List-|Precedence)/im);
    for (const field of [
      "From: Ada's Shop <news@shop.example.org>",
      "To: ada@example.com",
      "Auto-Submitted: auto-generated",
      "X-Auto-Response-Suppress: OOF, AutoReply",
      "MIME-Version: 1.0",
    ])
      expect(raw.replaceAll('"', "")).toContain(`${field}\r\n`);
    expect(raw).toMatch(/^Feedback-ID: send:ws_\w+:transactional:postrider\r$/m);
  });

  test("a long subject and long headers are encoded and folded", async () => {
    const subject = `${"é".repeat(400)} ${"x".repeat(500)}`;
    await post(api, { subject, headers: { "X-Long": "word ".repeat(190).trim() } });
    const { raw, mail } = await lastMail(api);
    expect(mail.subject).toBe(subject);
    expect(mail.headers.find(({ key }) => key === "x-long")?.value).toBe("word ".repeat(190).trim());
    expect(raw.split("\r\n").every((line) => line.length <= 78)).toBe(true);
  });

  test("html alone goes out as written, with a text made of it", async () => {
    const html = '<p>Hello <a href="https://example.com/x?a=1&amp;b=2">Ada</a></p>';
    await post(api, { text: undefined, html });
    const { mail } = await lastMail(api);
    expect(mail.html?.trimEnd()).toBe(html);
    expect(mail.text).toBe("Hello Ada [https://example.com/x?a=1&b=2]\n");
  });

  test("`body` is another name for `html`, and a text of one's own is kept", async () => {
    await post(api, { body: "<p>html</p>", text: "text" });
    const { mail } = await lastMail(api);
    expect([mail.html?.trim(), mail.text?.trim()]).toEqual(["<p>html</p>", "text"]);
  });

  test("sender, reply-to and headers of one's own", async () => {
    const headers = {
      "X-Order": "4711",
      "x-auto-response-suppress": "All",
      "X-Ünï": undefined,
      "X-Note": `naïve ${"long ".repeat(40)}`,
    };
    await post(api, {
      from: "Orders@SHOP.example.org",
      fromName: "Orders",
      replyTo: "help@example.net",
      headers,
    });
    const { raw, mail } = await lastMail(api);
    expect(mail.from).toEqual({ name: "Orders", address: "orders@shop.example.org" });
    expect(mail.replyTo).toEqual([{ name: "", address: "help@example.net" }]);
    expect(raw.match(/^x-auto-response-suppress:.*$/gim)).toEqual(["x-auto-response-suppress: All"]);
    expect(mail.headers.find(({ key }) => key === "x-order")?.value).toBe("4711");
    expect(api.relay.accepted.at(-1)?.mailFrom).toBe("orders@shop.example.org");
  });

  test("Liquid only where `variables` are given: escaped in HTML, raw in text, one line in the subject", async () => {
    const templates = { subject: "Hi {{ name }}", html: "<p>{{ name }}{{ nobody }}</p>", text: "{{ name }}" };
    await post(api, { ...templates, variables: { name: "<Ada>\n& Co" } });
    const filled = (await lastMail(api)).mail;
    expect([filled.subject, filled.html?.trim(), filled.text?.trim()]).toEqual([
      "Hi <Ada> & Co",
      "<p>&lt;Ada&gt;\n&amp; Co</p>",
      "<Ada>\n& Co",
    ]);
    await post(api, templates);
    const asWritten = (await lastMail(api)).mail;
    expect([asWritten.subject, asWritten.text?.trim()]).toEqual(["Hi {{ name }}", "{{ name }}"]);
  });

  test("MJML is compiled, with its variables filled in", async () => {
    const mjml =
      "<mjml><mj-body><mj-section><mj-column><mj-text>Dear {{ name }}</mj-text></mj-column></mj-section></mj-body></mjml>";
    await post(api, { text: undefined, mjml, variables: { name: "A<b>da" } });
    const { mail } = await lastMail(api);
    expect(mail.html).toContain("Dear A&lt;b&gt;da");
    expect(mail.html).not.toContain("mj-text");
    expect(mail.text).toContain("Dear A<b>da");
  });

  test("attachments arrive byte for byte, 2 MiB of them too", async () => {
    const bytes = Buffer.from(
      Array.from({ length: 2 * 1024 * 1024 - 4 }, (_, i) => (i * 7 + (i >> 8)) % 256),
    );
    const attachments = [
      { filename: "Rechnung 1.pdf", contentType: "application/pdf", content: bytes.toString("base64") },
      {
        filename: "überraschung (ä'ö).txt",
        contentType: "text/plain; charset=utf-8",
        content: Buffer.from("häh?").subarray(0, 4).toString("base64"),
      },
      { filename: "empty", content: "" },
    ];
    const { status } = await post(api, { html: "<p>See attached</p>", attachments });
    expect(status).toBe(200);
    const { raw, mail } = await lastMail(api);
    expect(
      mail.attachments.map(({ filename, mimeType, disposition }) => [filename, mimeType, disposition]),
    ).toEqual([
      ["Rechnung 1.pdf", "application/pdf", "attachment"],
      ["überraschung (ä'ö).txt", "text/plain", "attachment"],
      ["empty", "application/octet-stream", "attachment"],
    ]);
    expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer).equals(bytes)).toBe(true);
    expect([mail.html?.trim(), mail.text?.trim()]).toEqual(["<p>See attached</p>", RECEIPT.text]);
    expect(raw.split("\r\n").every((line) => line.length <= 998)).toBe(true);
  });
});
