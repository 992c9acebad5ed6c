import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PROVIDER_NAMES } from "#inbound/hooks/provider.ts";
import { startImapServer } from "../../support/inbound/imap-server.ts";
import {
  freePort,
  postrider,
  startPostrider,
  temporaryDirectory,
  type RunningServer,
} from "../../support/server/postrider.ts";

const home = temporaryDirectory();
const smtpPort = freePort();
const mailbox = startImapServer();
let server: RunningServer;
beforeAll(async () => {
  server = await startPostrider(home.path, ["--inbound-smtp", `127.0.0.1:${smtpPort}`]);
});
afterAll(async () => {
  await server.end("SIGTERM");
  mailbox.stop();
  home.remove();
});

describe("hook show", () => {
  test("prints for each provider an address that the server takes", async () => {
    for (const provider of PROVIDER_NAMES) {
      const { code, out } = await postrider(home.path, [
        "hook",
        "show",
        provider,
        "--json",
        "--base-url",
        server.url,
      ]);
      const { url, key } = JSON.parse(out);
      const { status } = await fetch(url, { method: "POST", body: "[]" });
      // Without a key or a signature it is refused, but found.
      expect([provider, code, status]).toEqual([provider, 0, key !== null || provider === "ses" ? 403 : 200]);
    }
  });

  test("says where to paste it, and which key is missing", async () => {
    const { out } = await postrider(home.path, [
      "hook",
      "show",
      "mailgun",
      "--base-url",
      "https://mail.example.com",
    ]);
    expect(out).toMatch(/Address\s+https:\/\/mail\.example\.com\/hooks\/mailgun\/[0-9a-f]{48}\n/);
    expect(out).toContain("postrider settings set mailgunSigningKey=");
    expect(out).toContain("HTTP webhook signing key");
  });

  test("says where it knows only this machine's own name, which no provider reaches", async () => {
    const { code, err } = await postrider(home.path, ["hook", "show", "postmark"]);
    expect([code, err]).toEqual([
      0,
      "postrider: BASE_URL is not set here, so the address leads to http://localhost:8080: give --base-url, unless people reach the server there\n",
    ]);
  });

  test("names the providers where it knows none of that name", async () => {
    const { code, err } = await postrider(home.path, ["hook", "show", "mandrill"]);
    expect([code, err.trim().split("\n").length]).toEqual([2, 1]);
    for (const provider of PROVIDER_NAMES) expect(err).toContain(provider);
  });
});

test("the banner says where mail comes in, and to nobody who set nothing", async () => {
  expect(server.out()).toContain(`127.0.0.1:${smtpPort}`);
  const other = temporaryDirectory();
  const plain = await startPostrider(other.path);
  expect(plain.out()).not.toContain("Mail in");
  expect(await plain.end("SIGTERM")).toBe(0);
  other.remove();
});

test("the doctor greets the port and the mailbox, and never shows the password", async () => {
  const found = async (...args: string[]) => {
    const { out } = await postrider(home.path, ["doctor", "--json", ...args]);
    const findings = JSON.parse(out) as { id: string; result: string; message: string }[];
    expect(out).not.toContain("hunter2");
    return Object.fromEntries(findings.map(({ id, result }) => [id, result]));
  };
  const set = (password: string) =>
    postrider(home.path, [
      "settings",
      "set",
      `bounceMailbox=imap://u:${password}@127.0.0.1:${mailbox.port}/INBOX`,
    ]);
  expect((await found())["inbound_smtp"]).toBeUndefined();
  await set("secret");
  const well = await found("--inbound-smtp", `127.0.0.1:${smtpPort}`);
  expect([well["inbound_smtp"], well["mailbox"]]).toEqual(["ok", "ok"]);
  await set("hunter2");
  const ill = await found("--inbound-smtp", `127.0.0.1:${freePort()}`);
  expect([ill["inbound_smtp"], ill["mailbox"]]).toEqual(["fail", "fail"]);
});
