import { createHmac, timingSafeEqual } from "node:crypto";
import type { Instant } from "#core/time/clock.ts";
import type { Form } from "#forms/form.ts";
import type { SubmittedFields } from "./submission.ts";

/**
 * Robots fill in a field of any name. This one must be none that people keep in a password manager or a contact
 * card ("website" is): those fill in hidden fields too, whatever the field says.
 */
const TRAP_FIELD = "comments";
/** The field that says when the form was shown. */
export const SHOWN_FIELD = "_shown";
/** Nobody types an address faster than this. The script of an embedded form waits until then. */
export const FILL_MIN_MS = 2_000;

const MAC_BYTES = 12;

/**
 * The name of a field that people cannot see: only a program fills it in. Never one of the form's own fields,
 * which people do fill in.
 */
export function trapField(fields: readonly string[]): string {
  let name = TRAP_FIELD;
  for (let n = 2; fields.includes(name); n++) name = `${TRAP_FIELD}${n}`;
  return name;
}

/** A sealed value in the hosted or embedded form: when it was shown. */
export function shownToken(secret: Uint8Array, formId: string, at: Instant): string {
  const time = at.toString(36);
  return `${time}.${macOf(secret, formId, time).toString("base64url")}`;
}

/**
 * - `plain`: posted by a program of the site or by the site's own form; there is nothing to judge.
 * - `robot`: the hidden field is filled in.
 * - `hasty`: sent faster than a person can type, or with a seal that is not ours. The person is asked to
 *   press the button again.
 *
 * Only our own forms carry the seal, so a robot that leaves it out counts as `plain`. This check finds the
 * robots that fill in every field they see.
 */
export type Judgement = "plain" | "person" | "robot" | "hasty";

export function judge(
  secret: Uint8Array,
  form: Pick<Form, "id" | "fields">,
  fields: SubmittedFields,
  now: Instant,
): Judgement {
  const token = fields[SHOWN_FIELD];
  if (token === undefined) return "plain";
  const trap = fields[trapField(form.fields)];
  if (trap !== undefined && trap !== "") return "robot";
  const shownAt = typeof token === "string" ? readToken(secret, form.id, token) : null;
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
