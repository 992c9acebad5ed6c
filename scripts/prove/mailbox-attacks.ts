/** Captured mail that takes long to read, and is looked at in every way that `/mailbox` has. */
import { filled, type Attack, type Send } from "./attacks.ts";

const BODY_MAX = 512 * 1024;
const VIEWS = ["", "?view=text", "?view=headers", "/html", "/text", "/raw"];

const looksAt = (name: string, fields: () => object): Attack => ({
  name: `/mailbox: ${name}`,
  isCaptured: true,
  async run(send) {
    const number = await nextNumber(send);
    const message = { to: "ada@example.com", subject: "Hello", ...fields() };
    const { status } = await send("POST", "/api/v1/send", JSON.stringify(message));
    if (status !== 200) return `${status} at /send`;
    while ((await send("GET", `/mailbox/${number}/raw`)).status !== 200) await Bun.sleep(20);
    const paths = ["/mailbox", ...VIEWS.map((view) => `/mailbox/${number}${view}`), "/mailbox/latest"];
    const answers: number[] = [];
    for (const path of paths) answers.push((await send("GET", path)).status);
    return answers.join(" ");
  },
});

/** The number of the message that is captured next. */
async function nextNumber(send: Send): Promise<number> {
  for (let number = 1; ; number++)
    if ((await send("GET", `/mailbox/${number}/raw`)).status === 404) return number;
}

export const ON_MAILBOX: readonly Attack[] = [
  looksAt("2 MB of attachments", () => ({
    text: "Hello",
    attachments: [{ filename: "a.bin", content: Buffer.alloc(2 * 1024 * 1024 - 4096).toString("base64") }],
  })),
  looksAt("HTML of 512 KB", () => ({ html: filled("<p>word &amp; word</p>", BODY_MAX - 20 * 1024) })),
  looksAt("a text of links", () => ({ text: filled("https://a.b ", BODY_MAX - 1024) })),
  looksAt("a text of what HTML escapes", () => ({ text: filled("<&>\n", BODY_MAX - 1024) })),
];
