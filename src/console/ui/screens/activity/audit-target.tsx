import { Link } from "wouter";
import type { AuditEntry } from "../../api/api.gen.ts";
import { useFormat } from "../../frame/format.ts";
import { None } from "../../parts/numbers.tsx";
import type { Texts } from "../../texts/en/index.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly entry: AuditEntry; readonly keyNames: ReadonlyMap<string, string> };

/**
 * What it was done to: by its name, which leads to it, as long as it is there. Of what is gone, the log knows the id.
 */
export function AuditTarget({ entry: { what, target, name }, keyNames }: Props) {
  const { settings } = useTexts();
  const { list } = useFormat();
  if (target === null) return <None />;
  if (what === "settings_changed")
    return list(target.split(", ").map((one) => labelOf(settings.fields, one)));
  const called = name ?? keyNames.get(target);
  if (called === undefined)
    return IS_ID.test(target) ? <code className="activity-id">{target}</code> : target;
  const address = addressOf(what, target);
  return address === null ? called : <Link href={address}>{called}</Link>;
}

/** A setting as its screen calls it; one that has no field there as the API does. */
const labelOf = (fields: Texts["settings"]["fields"], name: string): string =>
  (fields as Record<string, { label: string } | undefined>)[name]?.label ?? name;

/** One id, or several of contacts that were deleted together. */
const IS_ID = /^[a-z]+_[0-9a-z]{26}\b/;

/** Where the things of a kind of deed are looked at, by how the kind begins. */
const PLACES: readonly (readonly [string, (id: string) => string])[] = [
  ["automation_", (id) => `/automations/${id}`],
  ["campaign_", (id) => `/campaigns/${id}`],
  ["deliveries_", (id) => `/campaigns/${id}/report`],
  ["import_", (id) => `/activity?tab=imports&import=${id}`],
  ["key_", () => "/settings/keys"],
  ["list_contact_", (id) => `/contacts/${id}`],
  ["webhook_", (id) => `/activity?tab=webhooks&hook=${id}`],
];

const addressOf = (what: string, id: string): string | null =>
  PLACES.find(([beginning]) => what.startsWith(beginning))?.[1](id) ?? null;
