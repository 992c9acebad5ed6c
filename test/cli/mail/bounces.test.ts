import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "#core/time/time.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { numberOf, startSending, type SendingApi } from "../../support/sending/sending.ts";
import {
  BOUNCE_DOMAIN,
  fromMailbox,
  overSmtp,
  plainMail,
  sendTo,
  serverMail,
} from "../../support/inbound/reports.ts";
import { postrider, postriderTo } from "../../support/server/postrider.ts";

const ODD = plainMail("Undeliverable: Spring", "Es ging schief.", "X-Odd: yes\n");

describe("bounces that could not be read", () => {
  let api: SendingApi;
  let sender = "";
  beforeAll(async () => {
    api = await startSending();
    await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
    sender = (await sendTo(api, ["grace@example.com"])).sent.get("grace@example.com")?.sender ?? "";
  });
  afterAll(() => api.stop());
  const run = (...args: string[]) => postrider(api.dataDir, args);
  const listed = async (...args: string[]) =>
    JSON.parse((await run("bounces", "list", "--json", ...args)).out);

  test("are kept once, listed, shown as they came, and removed", async () => {
    expect((await run("bounces", "list")).out).toBe("No bounces wait for a person.\n");
    expect(await overSmtp(api, ODD, sender)).toBe("kept");
    expect(await overSmtp(api, ODD, sender)).toBe("known");
    const [kept, ...more] = await listed("--workspace", api.workspaceId);
    expect(more).toEqual([]);
    expect(kept).toMatchObject({
      workspaceId: api.workspaceId,
      way: "smtp",
      from: "Grace grace@example.com",
      subject: "Undeliverable: Spring",
      sizeBytes: ODD.length,
    });
    expect((await run("bounces", "list")).out).toContain("Undeliverable: Spring");
    expect((await run("bounces", "show", String(kept.number))).out).toBe(ODD.toString());
    expect((await run("bounces", "remove", String(kept.number))).out).toBe(`${kept.number} is removed\n`);
    expect(await listed()).toEqual([]);
  });

  test("are shown byte by byte in a file, and on a terminal without what it would carry out", async () => {
    const attack = "\u001b]0;owned\u0007 \u009b2J \u00fc\ufeff";
    const raw = Buffer.concat([plainMail("Undeliverable", attack), Buffer.from([0xfc, 0xdf, 0x9b, 0x0a])]);
    expect(await overSmtp(api, raw, sender)).toBe("kept");
    const [{ number }] = await listed();
    const show = async (isTTY: boolean): Promise<Buffer> => {
      const pieces: Buffer[] = [];
      const stream = {
        isTTY,
        write(piece: string | Uint8Array, done?: () => void) {
          pieces.push(Buffer.from(piece as string));
          if (done) setImmediate(done);
        },
      };
      expect(await postriderTo(stream, api.dataDir, ["bounces", "show", String(number)])).toBe(0);
      return Buffer.concat(pieces);
    };
    expect(await show(false)).toEqual(raw);
    const seen = (await show(true)).toString();
    expect(seen).toContain("\\x1b]0;owned\\x07 \\x9b2J ü");
    expect(seen.replaceAll(/[\r\n]/g, "")).not.toMatch(/\p{Cc}/u);
    expect((await run("bounces", "remove", String(number))).code).toBe(0);
  });

  test("change nobody", async () => {
    expect(await overSmtp(api, plainMail("Undeliverable", "Es ging schief."), sender)).toBe("kept");
    expect(numberOf(api, "SELECT count(*) AS n FROM suppressions")).toBe(0);
    expect(numberOf(api, "SELECT count(*) AS n FROM contacts WHERE status = 'SUBSCRIBED'")).toBe(1);
  });

  test("a person's mail in a mailbox is not kept, and left alone", async () => {
    const before = await listed();
    expect(await fromMailbox(api, plainMail("Hello Ada", "Thank you for the news."))).toBe("ordinary");
    expect(await fromMailbox(api, plainMail("Automatic reply: Spring", "I am away."))).toBe("ordinary");
    expect(await listed()).toEqual(before);
  });

  test.each([
    ["show", "99"],
    ["remove", "99"],
  ])("bounces %s of one that is not there is one line and exit code 1", async (command, number) => {
    const { code, out, err } = await run("bounces", command, number);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/^.*there is no kept bounce 99.*\n$/);
  });

  test("a number that is none is exit code 2", async () => {
    expect((await run("bounces", "show", "x")).code).toBe(2);
  });
});

test("kept bounces have a limit of age and number: the oldest give way", async () => {
  const clock = manualClock();
  const api = await startSending({}, { clock });
  const kept = () => numberOf(api, "SELECT count(*) AS n FROM unread_mails");
  const one = (n: number) => fromMailbox(api, serverMail("Undeliverable", `Es ging schief, zum ${n}. Mal.`));
  for (let n = 0; n < 1_010; n += 10) await Promise.all(Array.from({ length: 10 }, (_, i) => one(n + i)));
  expect(kept()).toBe(1_000);
  clock.advance(91 * DAY_MS);
  expect(await one(2_000)).toBe("kept");
  expect(kept()).toBe(1);
  await api.stop();
});
