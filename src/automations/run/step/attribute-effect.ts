import { parseAttributeValue } from "#attributes/attribute-input.ts";
import { attributeOf, type AttributeValue } from "#attributes/attribute.ts";
import { mergeAttributes } from "#attributes/merge.ts";
import type { AttributeSetting } from "#automations/flow/flow-step.ts";
import { liquidScope } from "#automations/mail/mail-content.ts";
import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { LITTLE, NeedsThread } from "#mail/liquid/allowance.ts";
import type { Facts } from "./facts.ts";
import type { Effect } from "./step-outcome.ts";

/**
 * What `set_field` does to an attribute; null if it changes nothing. Refused if the value or the contact's
 * attributes would exceed a limit.
 */
export function attributeEffect(
  { name, setting }: { readonly name: string; readonly setting: AttributeSetting },
  facts: Facts,
): Result<Effect | null> {
  const value = valueOf(setting, facts);
  if (!value.ok) return value;
  const { attributes: before } = facts.contact;
  if (JSON.stringify(attributeOf(before, name) ?? null) === JSON.stringify(value.value)) return accept(null);
  const after = mergeAttributes(before, { [name]: value.value }, facts.attributeHolders);
  return after.ok
    ? accept({ kind: "setAttribute", name, value: value.value, attributes: after.value })
    : after;
}

function valueOf(setting: AttributeSetting, facts: Facts): Result<AttributeValue | null> {
  if (setting.kind === "value") return accept(setting.value);
  const text = filledIn(setting, facts);
  if (!text.ok) return text;
  const value = parseAttributeValue("value", text.value.trim());
  return value.ok && value.value === "" ? accept(null) : value;
}

/** Everybody waits for a step, so its template gets a small allowance: a value has at most a thousand characters. */
function filledIn({ template }: Extract<AttributeSetting, { kind: "liquid" }>, facts: Facts): Result<string> {
  try {
    return template.render(liquidScope(facts), LITTLE);
  } catch (error) {
    if (!(error instanceof NeedsThread)) throw error;
    return invalid("The Liquid in `value` takes more steps than a value may. Make it simpler.");
  }
}
