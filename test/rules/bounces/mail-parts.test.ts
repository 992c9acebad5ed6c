import { expect, test } from "bun:test";
import { readParts } from "#bounces/reading/mail-parts.ts";

const HEAD = "Subject: Undelivered\r\nContent-Type: multipart/report; boundary=b\r\n\r\n";
const STATUS = "--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\n\r\n--b--\r\n";

const statusIn = async (mail: string): Promise<readonly string[]> =>
  (await readParts(new TextEncoder().encode(mail))).status.map((text) => text.trim());

const behind = (parts: number): string => HEAD + "--b\r\n\r\n".repeat(parts) + STATUS;

test("a mail's parts are read up to some thousand, because each takes memory, however little is in it", async () => {
  expect(await statusIn(behind(1_000))).toEqual(["Action: failed"]);
  expect(await statusIn(behind(100_000))).toEqual([]);
});

test("a report is read whose returned mail has very many lines that begin as separators of parts do", async () => {
  const returned = `--b\r\nContent-Type: text/rfc822-headers\r\n\r\n${"-- a line\r\n".repeat(5_000)}--b--\r\n`;
  expect(await statusIn(HEAD + STATUS.replace("--b--\r\n", "") + returned)).toEqual(["Action: failed"]);
});
