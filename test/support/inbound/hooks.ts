/** Requests of mail providers, signed as each of them signs. */
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { PROVIDER_NAMES, type Provider } from "#inbound/hooks/provider.ts";
import type { TestApi } from "../server/api.ts";
import { notification } from "./sns.ts";

const sendgrid = generateKeyPairSync("ec", { namedCurve: "prime256v1" });

export const KEYS = {
  mailgunSigningKey: "3f0c1a2b4d5e6f708192a3b4c5d6e7f8",
  sendgridPublicKey: sendgrid.publicKey.export({ format: "der", type: "spki" }).toString("base64"),
  resendSigningSecret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
};

export type Signed = { readonly body: string; readonly headers: Readonly<Record<string, string>> };

let tokens = 0;

/** What a provider posts, with a good signature where it has one. */
export function signedBy(provider: Provider, event: unknown, now = Date.now()): Signed {
  const seconds = String(Math.floor(now / 1000));
  if (provider === "ses")
    return { body: JSON.stringify(notification(event)), headers: { "content-type": "text/plain" } };
  if (provider === "mailgun") {
    const token = `token-${++tokens}`;
    const signature = createHmac("sha256", KEYS.mailgunSigningKey)
      .update(seconds + token)
      .digest("hex");
    const body = { ...(event as object), signature: { timestamp: seconds, token, signature } };
    return { body: JSON.stringify(body), headers: {} };
  }
  const body = JSON.stringify(event);
  if (provider === "sendgrid") {
    const signature = sign("sha256", Buffer.from(seconds + body), sendgrid.privateKey).toString("base64");
    const headers = {
      "X-Twilio-Email-Event-Webhook-Signature": signature,
      "X-Twilio-Email-Event-Webhook-Timestamp": seconds,
    };
    return { body, headers };
  }
  if (provider !== "resend") return { body, headers: { "content-type": "application/json" } };
  const id = `msg_${++tokens}`;
  const signature = new Webhook(KEYS.resendSigningSecret).sign(id, new Date(Number(seconds) * 1000), body);
  return { body, headers: { "svix-id": id, "svix-timestamp": seconds, "svix-signature": signature } };
}

/** The providers whose requests are signed. */
export const SIGNING = ["ses", "mailgun", "sendgrid", "resend"] as const;
export const ALL: readonly Provider[] = PROVIDER_NAMES;

export const secretOf = async (api: TestApi): Promise<string> =>
  (await api.services.workspaces.settings(api.workspaceId)).hookSecret;

export async function post(api: TestApi, provider: string, { body, headers }: Signed, secret?: string) {
  const url = `${api.url}/hooks/${provider}/${secret ?? (await secretOf(api))}`;
  const response = await fetch(url, { method: "POST", body, headers });
  return { status: response.status, body: (await response.json().catch(() => null)) as any };
}
