import { describe, expect, test } from "bun:test";
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { checkMailgun, isSame, isSignedBySendgrid, isSignedBySvix } from "#inbound/hooks/signatures.ts";
import { MINUTE } from "../../support/common/durations.ts";

const NOW = Date.UTC(2026, 10, 22);

describe("Mailgun's signature", () => {
  const KEY = "3f0c1a2b4d5e6f708192a3b4c5d6e7f8";
  const signed = (at: number, token = "a8ce0edb2dd8301dee6c", key = KEY) => {
    const timestamp = String(Math.floor(at / 1000));
    const signature = createHmac("sha256", key)
      .update(timestamp + token)
      .digest("hex");
    return { signature: { timestamp, token, signature } };
  };

  test("is good for 15 minutes, in both directions", () => {
    expect(checkMailgun(signed(NOW), KEY, NOW)?.token).toBe("a8ce0edb2dd8301dee6c");
    expect(checkMailgun(signed(NOW - 15 * MINUTE), KEY, NOW)).not.toBeNull();
    expect(checkMailgun(signed(NOW - 15 * MINUTE - 1000), KEY, NOW)).toBeNull();
    expect(checkMailgun(signed(NOW + 15 * MINUTE + 1000), KEY, NOW)).toBeNull();
  });

  test("of another key, of a changed token or time, or none, is refused", () => {
    const good = signed(NOW);
    const bad = [
      signed(NOW, "token", "another key, also long"),
      { signature: { ...good.signature, token: "b8ce0edb2dd8301dee6c" } },
      { signature: { ...good.signature, timestamp: String(NOW / 1000 + 1) } },
      { signature: { ...good.signature, signature: "" } },
      { signature: { ...good.signature, timestamp: "NaN" } },
      { signature: null },
      {},
      null,
    ];
    for (const body of bad) expect(checkMailgun(body, KEY, NOW)).toBeNull();
  });

  test("of one token is not that of another with a part of it moved into the time", () => {
    const { timestamp, signature } = signed(NOW, "e0ce0edb2dd8301dee6c").signature;
    const moved = { timestamp: `${timestamp}e0`, token: "ce0edb2dd8301dee6c", signature };
    expect(checkMailgun({ signature: moved }, KEY, NOW)).toBeNull();
  });
});

describe("SendGrid's signature", () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const spki = publicKey.export({ format: "der", type: "spki" }).toString("base64");
  const body = Buffer.from('[{"event":"bounce"}]\r\n');
  const headersOf = (timestamp: string, bytes: Uint8Array) =>
    new Headers({
      "X-Twilio-Email-Event-Webhook-Timestamp": timestamp,
      "X-Twilio-Email-Event-Webhook-Signature": sign(
        "sha256",
        Buffer.concat([Buffer.from(timestamp), bytes]),
        privateKey,
      ).toString("base64"),
    });

  test("covers the time and every byte of the body", () => {
    const headers = headersOf("1600112502", body);
    expect(isSignedBySendgrid({ bytes: body, headers: headers }, spki)).toBeTrue();
    expect(isSignedBySendgrid({ bytes: body.subarray(0, -2), headers: headers }, spki)).toBeFalse();
    headers.set("X-Twilio-Email-Event-Webhook-Timestamp", "1600112503");
    expect(isSignedBySendgrid({ bytes: body, headers: headers }, spki)).toBeFalse();
  });

  test("is refused without headers, with garbage, and under another key", () => {
    const other = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).publicKey;
    const otherSpki = other.export({ format: "der", type: "spki" }).toString("base64");
    expect(isSignedBySendgrid({ bytes: body, headers: headersOf("1", body) }, otherSpki)).toBeFalse();
    expect(isSignedBySendgrid({ bytes: body, headers: new Headers() }, spki)).toBeFalse();
    expect(
      isSignedBySendgrid(
        { bytes: body, headers: new Headers({ "X-Twilio-Email-Event-Webhook-Signature": "AAAA" }) },
        spki,
      ),
    ).toBeFalse();
    expect(isSignedBySendgrid({ bytes: body, headers: headersOf("1", body) }, "AAAA")).toBeFalse();
  });

  test("SendGrid's own example verifies", () => {
    // From the tests of SendGrid's libraries (MIT).
    const key =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==";
    const headers = new Headers({
      "X-Twilio-Email-Event-Webhook-Signature":
        "MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=",
      "X-Twilio-Email-Event-Webhook-Timestamp": "1600112502",
    });
    const payload = `${JSON.stringify([
      {
        email: "hello@world.com",
        event: "dropped",
        reason: "Bounced Address",
        sg_event_id: "ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA",
        sg_message_id: "LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0",
        "smtp-id": "<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>",
        timestamp: 1600112492,
      },
    ])}\r\n`;
    expect(isSignedBySendgrid({ bytes: Buffer.from(payload), headers: headers }, key)).toBeTrue();
  });
});

describe("the signature of Svix, for Resend", () => {
  const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const body = '{"type":"email.bounced"}';
  const signature = (at = NOW, text = body, secret = SECRET) =>
    new Webhook(secret).sign("msg_1", new Date(at), text);
  const headersOf = (given: string, at = NOW) =>
    new Headers({ "svix-id": "msg_1", "svix-timestamp": String(at / 1000), "svix-signature": given });
  const isSigned = (headers: Headers) => isSignedBySvix({ bytes: Buffer.from(body), headers }, SECRET, NOW);

  test("is what the reference library makes, among others too", () => {
    expect(isSigned(headersOf(signature()))).toBeTrue();
    expect(isSigned(headersOf(`v1,AAAA ${signature()}`))).toBeTrue();
  });

  test("is good for five minutes, and for nothing but this body, id, time and secret", () => {
    const old = NOW - 5 * MINUTE;
    expect(isSigned(headersOf(signature(old), old))).toBeTrue();
    expect(isSigned(headersOf(signature(old - 1000), old - 1000))).toBeFalse();
    expect(isSigned(headersOf(signature(NOW + 6 * MINUTE), NOW + 6 * MINUTE))).toBeFalse();
    expect(isSigned(headersOf(signature(NOW, "{}")))).toBeFalse();
    expect(isSigned(headersOf(signature(NOW - 1000), NOW))).toBeFalse();
    expect(isSigned(headersOf(signature(NOW, body, "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")))).toBeFalse();
    const other = headersOf(signature());
    other.set("svix-id", "msg_2");
    expect(isSigned(other)).toBeFalse();
    expect(isSigned(new Headers())).toBeFalse();
  });
});

test("texts are compared whole", () => {
  expect(isSame("abc", "abc")).toBeTrue();
  for (const other of ["abd", "ab", "abcd", "", "äbc"]) expect(isSame("abc", other)).toBeFalse();
});
