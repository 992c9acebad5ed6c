import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "#core/clock.ts";
import type { SubmittedFields } from "./submission.ts";

/** A field no person sees; whoever fills it in is a program. */
export const TRAP_FIELD = "website";
/** Says when the form was shown. */
export const SHOWN_FIELD = "_shown";
/** Nobody types an address faster. The embedded form waits that long by itself. */
export const FILL_MIN_MS = 2_000;

const MAC_BYTES = 12;

/** What the hosted or embedded form carries: when it was shown, sealed. */
export function shownToken(secret: Uint8Array, formId: string, at: Instant): string {
  const time = at.toString(36);
  return `${time}.${macOf(secret, formId, time).toString("base64url")}`;
}

/**
 * - `plain`: posted by a program of the site's own, or a form of its own; there is nothing to judge.
 * - `robot`: the trap is filled.
 * - `hasty`: sent faster than a person can, or with a seal that is not ours: asked to press the button again.
 * Only our own forms carry the seal, so a robot that leaves it out is `plain`: this is for those that fill in whatever they see.
 */
export type Judgement = "plain" | "person" | "robot" | "hasty";

export function judge(secret: Uint8Array, formId: string, fields: SubmittedFields, now: Instant): Judgement {
  const token = fields[SHOWN_FIELD];
  if (token === undefined) return "plain";
  const trap = fields[TRAP_FIELD];
  if (trap !== undefined && trap !== "") return "robot";
  const shownAt = typeof token === "string" ? readToken(secret, formId, token) : null;
  return shownAt !== null && now - shownAt >= FILL_MIN_MS ? "person" : "hasty";
}

function readToken(secret: Uint8Array, formId: string, token: string): Instant | null {
  const [time = "", mac = ""] = token.split(".");
  const given = Buffer.from(mac, "base64url");
  if (given.length !== MAC_BYTES || !timingSafeEqual(given, macOf(secret, formId, time))) return null;
  return Number.parseInt(time, 36);
}

function macOf(secret: Uint8Array, formId: string, time: string): Buffer {
  return createHmac("sha256", secret)
    .update(`form shown\0${formId}\0${time}`)
    .digest()
    .subarray(0, MAC_BYTES);
}
