import { X509Certificate, verify } from "node:crypto";
import { parseWebAddress } from "#core/addresses/web-address.ts";
import type { Instant } from "#core/time/clock.ts";
import { fieldsOf, textOf, type Fields } from "#core/request/loose-json.ts";

/** A message of Amazon SNS to an HTTP endpoint. */
export type SnsMessage = {
  readonly type: "Notification" | "SubscriptionConfirmation" | "UnsubscribeConfirmation";
  /** For a notification: the JSON from SES. */
  readonly message: string;
  readonly subscribeUrl: string;
  readonly certificateUrl: string;
  readonly signature: string;
  readonly algorithm: "sha1" | "sha256";
  /** The text that is signed. */
  readonly signed: string;
};

const NOTIFICATION = ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const;
const CONFIRMATION = [
  "Message",
  "MessageId",
  "SubscribeURL",
  "Timestamp",
  "Token",
  "TopicArn",
  "Type",
] as const;

/** Reads a message ("Verifying the signatures of Amazon SNS messages"); null if it is none. */
export function readSnsMessage(body: unknown): SnsMessage | null {
  const fields = fieldsOf(body);
  const type = fields["Type"];
  const isConfirmation = type === "SubscriptionConfirmation" || type === "UnsubscribeConfirmation";
  if (type !== "Notification" && !isConfirmation) return null;
  const version = textOf(fields["SignatureVersion"]);
  if (version !== "1" && version !== "2") return null;
  return {
    type,
    message: textOf(fields["Message"]),
    subscribeUrl: textOf(fields["SubscribeURL"]),
    certificateUrl: textOf(fields["SigningCertURL"]),
    signature: textOf(fields["Signature"]),
    algorithm: version === "1" ? "sha1" : "sha256",
    signed: signedText(fields, isConfirmation ? CONFIRMATION : NOTIFICATION),
  };
}

/** Names and values, each on its own line. A missing subject is left out. */
const signedText = (fields: Fields, names: readonly string[]): string =>
  names
    .flatMap((name) =>
      fields[name] === undefined || fields[name] === null ? [] : [`${name}\n${textOf(fields[name])}\n`],
    )
    .join("");

/** Names a region, as `us-gov-west-1`: `sns.s3.amazonaws.com` is the storage of whoever has called theirs `sns`. */
const REGION = /[a-z]{2,10}(?:-[a-z]{2,12}){1,3}-\d{1,2}/.source;
const AMAZON = new RegExp(`^sns\\.${REGION}\\.amazonaws\\.com$`);
const CERTIFIED = new RegExp(`^CN=sns(?:\\.${REGION})?\\.amazonaws\\.com$`, "m");

/** Whether an address is Amazon's own. This service must not be made to call any other. */
export function isAmazons(address: string): boolean {
  const url = parseWebAddress(address);
  return (
    url !== null &&
    url.protocol === "https:" &&
    AMAZON.test(url.hostname) &&
    url.port === "" &&
    url.username === "" &&
    url.password === ""
  );
}

/** Whether this is the address of an SNS signing certificate. */
export const isCertificateAddress = (address: string): boolean =>
  isAmazons(address) && /^\/[A-Za-z0-9-]{1,100}\.pem$/.test(new URL(address).pathname);

/**
 * The key of a certificate if it belongs to Amazon SNS and is valid now; otherwise null.
 * @param pem what Amazon answered
 */
export function readCertificate(pem: string, now: Instant): SnsCertificate | null {
  try {
    const certificate = new X509Certificate(pem);
    const [from, until] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
    const isSns = CERTIFIED.test(certificate.subject);
    const isValid = from <= now && now < until && certificate.publicKey.asymmetricKeyType === "rsa";
    return isSns && isValid ? { key: certificate.publicKey, until } : null;
  } catch {
    return null;
  }
}

export type SnsCertificate = { readonly key: X509Certificate["publicKey"]; readonly until: Instant };

export function isSignedWith({ key }: SnsCertificate, message: SnsMessage): boolean {
  try {
    return verify(
      message.algorithm,
      Buffer.from(message.signed),
      key,
      Buffer.from(message.signature, "base64"),
    );
  } catch {
    return false;
  }
}
