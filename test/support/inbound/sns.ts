/** Messages of Amazon SNS, signed with our own key, and a stand-in for Amazon that vouches for it. */
import { sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ask } from "#inbound/hooks/amazon.ts";

const FIXTURES = join(import.meta.dir, "../../fixtures");
const read = (name: string): string => readFileSync(join(FIXTURES, name), "utf8");
const CERTIFICATE = read("sns-certificate.pem");
const KEY = read("sns-key.pem");

export const CERTIFICATE_URL =
  "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";
const SUBSCRIBE_URL =
  "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn:aws:sns:us-east-1:123456789012:MyTopic&Token=2336412f37";

type Fields = Record<string, string>;

const COMMON: Fields = {
  MessageId: "165545c9-2a5c-472c-8df2-7ff2be2b3b1b",
  TopicArn: "arn:aws:sns:us-east-1:123456789012:MyTopic",
  Timestamp: "2026-11-22T20:45:04.751Z",
  SignatureVersion: "1",
  SigningCertURL: CERTIFICATE_URL,
};

/** As Amazon documents it: names and values in this order, each on a line of its own. */
const ORDER = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"];

/** @param changed members that differ from the signed ones */
function signed(fields: Fields, changed: Fields): Fields {
  const names = fields["Type"] === "Notification" ? ORDER.filter((name) => !/URL|Token/.test(name)) : ORDER;
  const text = names
    .filter((name) => name in fields)
    .map((name) => `${name}\n${fields[name]}\n`)
    .join("");
  const algorithm = fields["SignatureVersion"] === "2" ? "sha256" : "sha1";
  const Signature = sign(algorithm, Buffer.from(text), KEY).toString("base64");
  return { ...fields, Signature, ...changed };
}

export const notification = (message: unknown, own: Fields = {}, changed: Fields = {}): Fields =>
  signed({ Type: "Notification", Message: JSON.stringify(message), ...COMMON, ...own }, changed);

export const confirmation = (own: Fields = {}, changed: Fields = {}): Fields =>
  signed(
    {
      Type: "SubscriptionConfirmation",
      Token: "2336412f37",
      Message:
        "You have chosen to subscribe to the topic.\nTo confirm the subscription, visit the SubscribeURL.",
      SubscribeURL: SUBSCRIBE_URL,
      ...COMMON,
      ...own,
    },
    changed,
  );

/** An Amazon that notes what it was asked for, and can be silent. */
export function amazonStandIn() {
  const asked: string[] = [];
  let answer: string | null = CERTIFICATE;
  const ask: Ask = async (address) => {
    asked.push(address);
    if (answer === null) throw new Error("connection refused");
    return answer;
  };
  return {
    asked,
    ask,
    answers(next: string | null): void {
      answer = next;
    },
    recovers(): void {
      answer = CERTIFICATE;
    },
    /** A valid certificate of the same key for storage at Amazon that anybody may have: only its name tells. */
    foreignCertificate: read("sns-foreign-certificate.pem"),
    /** A valid certificate with Amazon's name whose key is of a kind with which Amazon signs nothing. */
    otherKindOfKey: read("sns-ec-certificate.pem"),
  };
}
