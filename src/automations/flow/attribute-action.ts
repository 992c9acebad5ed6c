import { notAName, parseAttributeValue } from "#attributes/attribute-input.ts";
import { isAttributeName } from "#attributes/attribute.ts";
import { parseLiquid } from "#mail/liquid/liquid.ts";
import type { Action, AttributeSetting } from "./flow-step.ts";
import { read, unreadable, type Reading } from "#core/request/reading.ts";

const PREFIX = "attributes.";

export const hasLiquid = (value: string): boolean => /\{[{%]/.test(value);

/** The attribute that `field` names; null if it names none. */
export const attributeIn = (field: unknown): string | null =>
  typeof field === "string" && field.startsWith(PREFIX) ? field.slice(PREFIX.length) : null;

/**
 * Reads `set_field` on `attributes.<name>` (docs/decisions.md "Automations"): a text with Liquid, or any other
 * value of an attribute. An empty text, null and a missing value clear the attribute.
 */
export function readAttributeAction(name: string, value: unknown): Reading<Action> {
  if (!isAttributeName(name)) return unreadable("data.field", notAName(name));
  const setting = readSetting(value ?? "");
  return setting.ok
    ? read({ action: "set_field", field: "attributes", name, setting: setting.value })
    : setting;
}

function readSetting(value: unknown): Reading<AttributeSetting> {
  if (typeof value === "string" && hasLiquid(value)) {
    const template = parseLiquid(value, "text");
    return template.ok
      ? read({ kind: "liquid", source: value, template: template.value })
      : unreadable("data.value", template.refusal.message);
  }
  const plain = parseAttributeValue("value", typeof value === "string" ? value.trim() : value);
  if (!plain.ok) return unreadable("data.value", plain.refusal.message);
  return read({ kind: "value", value: plain.value === "" ? null : plain.value });
}
