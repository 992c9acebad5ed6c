import { describe, expect, test } from "bun:test";
import { amazonSns } from "#inbound/hooks/amazon.ts";
import { isAmazons, isCertificateAddress, readSnsMessage } from "#inbound/hooks/sns.ts";
import { present } from "#core/present.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { amazonStandIn, CERTIFICATE_URL, confirmation, notification } from "../../support/inbound/sns.ts";
import { DAY } from "../../support/common/durations.ts";

function setUp() {
  const stand = amazonStandIn();
  const clock = manualClock(Date.UTC(2026, 10, 22));
  const amazon = amazonSns({ clock, ask: stand.ask });
  const judge = (fields: object) => amazon.judge(present(readSnsMessage(fields), "message"));
  return { stand, clock, amazon, judge };
}

describe("a message of Amazon SNS", () => {
  test("is genuine with its signature, of both versions, with and without a subject", async () => {
    const { judge } = setUp();
    expect(await judge(notification({ a: 1 }))).toBe("genuine");
    expect(await judge(notification({ a: 1 }, { SignatureVersion: "2" }))).toBe("genuine");
    expect(await judge(notification({ a: 1 }, { Subject: "My First Message" }))).toBe("genuine");
    expect(await judge(confirmation())).toBe("genuine");
  });

  test("is forged where anything that is signed was changed", async () => {
    const { judge } = setUp();
    const changes = {
      Message: "{}",
      MessageId: "other",
      Subject: "added",
      Timestamp: "2026-11-22T20:45:05.751Z",
      TopicArn: "arn:aws:sns:us-east-1:1:Other",
    };
    for (const [name, value] of Object.entries(changes))
      expect([name, await judge(notification({ a: 1 }, {}, { [name]: value }))]).toEqual([name, "forged"]);
    expect(await judge(confirmation({}, { SubscribeURL: "https://sns.us-east-1.amazonaws.com/?x" }))).toBe(
      "forged",
    );
    expect(await judge(notification({}, {}, { Signature: "" }))).toBe("forged");
    expect(await judge(notification({}, {}, { SignatureVersion: "2" }))).toBe("forged");
  });

  test("makes nobody ask anywhere but at Amazon", async () => {
    const { judge, stand } = setUp();
    for (const address of NOT_AMAZONS) {
      expect([address, isAmazons(address)]).toEqual([address, false]);
      expect(await judge(notification({}, { SigningCertURL: address }))).toBe("forged");
      expect(
        await setUp().amazon.confirm(present(readSnsMessage(confirmation({ SubscribeURL: address })), "m")),
      ).toBe(false);
    }
    expect(isCertificateAddress("https://sns.us-east-1.amazonaws.com/?Action=x&y=.pem")).toBe(false);
    expect(isCertificateAddress(CERTIFICATE_URL)).toBe(true);
    for (const region of ["eu-central-1", "ap-southeast-5", "us-gov-west-1", "ca-west-1", "me-central-1"])
      expect([region, isAmazons(`https://sns.${region}.amazonaws.com/`)]).toEqual([region, true]);
    expect(stand.asked).toEqual([]);
  });

  test("asks for a certificate once a day", async () => {
    const { judge, stand, clock } = setUp();
    for (let times = 0; times < 5; times++) await judge(notification({ times }));
    expect(stand.asked).toEqual([CERTIFICATE_URL]);
    clock.advance(DAY);
    await judge(notification({}));
    expect(stand.asked.length).toBe(2);
  });

  test("is unknown, not forged, while Amazon is silent or answers something else", async () => {
    const { judge, stand, clock } = setUp();
    // The foreign ones are some days younger.
    clock.advance(30 * DAY);
    for (const answer of [null, "", "<html>", stand.foreignCertificate, stand.otherKindOfKey]) {
      stand.answers(answer);
      expect(await judge(notification({}))).toBe("unknown");
    }
    stand.recovers();
    expect(await judge(notification({}))).toBe("genuine");
  });

  test("is unknown where the certificate has ended", async () => {
    const { judge, clock } = setUp();
    clock.advance(Date.UTC(2121, 0, 1) - clock.now());
    expect(await judge(notification({}))).toBe("unknown");
  });

  test("gives up on an Amazon that never answers after ten seconds", async () => {
    const clock = manualClock(Date.UTC(2026, 10, 22));
    const amazon = amazonSns({
      clock,
      ask: (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(new Error("aborted"))),
        ),
    });
    const judged = amazon.judge(present(readSnsMessage(notification({})), "message"));
    clock.advance(10_000);
    expect(await judged).toBe("unknown");
  });

  test("of an unknown type or version is none", () => {
    for (const body of [null, [], {}, { Type: "Other" }, notification({}, {}, { SignatureVersion: "3" })])
      expect(readSnsMessage(body)).toBeNull();
  });
});

const NOT_AMAZONS = [
  "http://sns.us-east-1.amazonaws.com/a.pem",
  "https://sns.us-east-1.amazonaws.com.example.com/a.pem",
  "https://example.com/sns.us-east-1.amazonaws.com/a.pem",
  "https://sns.us-east-1.amazonaws.com@example.com/a.pem",
  "https://user:pass@sns.us-east-1.amazonaws.com/a.pem",
  "https://sns.us-east-1.amazonaws.com:8443/a.pem",
  "https://evil.sns.us-east-1.amazonaws.com/a.pem",
  "https://sns.us-east-1.evil.amazonaws.com/a.pem",
  "https://s3.amazonaws.com/a.pem",
  "https://sns.s3.amazonaws.com/a.pem",
  "https://sns.s3-us-west-2.amazonaws.com/a.pem",
  "https://sns.s3-website-us-east-1.amazonaws.com/a.pem",
  "https://sns.storage.amazonaws.com/a.pem",
  "https://sns..amazonaws.com/a.pem",
  "https://127.0.0.1/a.pem",
  "file:///etc/a.pem",
  "//sns.us-east-1.amazonaws.com/a.pem",
  "",
];
