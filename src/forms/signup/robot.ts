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

type SealedForm = Pick<Form, "id" | "fields">;

/**
 * A sealed value in the hosted or embedded form: when it was shown, and with which trap. The form may be changed until
 * it is submitted, and then its trap is another field.
 */
export function shownToken(secret: Uint8Array, form: SealedForm, at: Instant): string {
  const time = at.toString(36);
  const trap = trapField(form.fields);
  return `${time}.${macOf(secret, form.id, `${time}.${trap}`).toString("base64url")}.${trap}`;
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
  form: SealedForm,
  fields: SubmittedFields,
  now: Instant,
): Judgement {
  const token = fields[SHOWN_FIELD];
  if (token === undefined) return "plain";
  const shown = typeof token === "string" ? readToken(secret, form, token) : null;
  const trap = fields[shown?.trap ?? trapField(form.fields)];
  if (trap !== undefined && trap !== "") return "robot";
  return shown !== null && now - shown.at >= FILL_MIN_MS ? "person" : "hasty";
}

/** Without a trap, it is of the version before: a page may be open for long. */
function readToken(
  secret: Uint8Array,
  { id, fields }: SealedForm,
  token: string,
): { at: Instant; trap: string } | null {
  const [time = "", mac = "", trap] = token.split(".");
  const given = Buffer.from(mac, "base64url");
  const sealed = trap === undefined ? time : `${time}.${trap}`;
  if (given.length !== MAC_BYTES || !timingSafeEqual(given, macOf(secret, id, sealed))) return null;
  return { at: Number.parseInt(time, 36), trap: trap ?? trapField(fields) };
}

function macOf(secret: Uint8Array, formId: string, sealed: string): Buffer {
  return createHmac("sha256", secret)
    .update(`form shown\0${formId}\0${sealed}`)
    .digest()
    .subarray(0, MAC_BYTES);
}
