import { Link } from "wouter";
import type { AuditEntry } from "../../api/api.gen.ts";
import { useFormat } from "../../frame/format.ts";
import { None } from "../../parts/numbers.tsx";
import type { Texts } from "../../texts/en/index.ts";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly entry: AuditEntry; readonly keyNames: ReadonlyMap<string, string> };

/** The target of an entry: its name, as a link, as long as it exists. Of a deleted one the log knows only the id. */
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

/** The name of a setting on its screen. A setting that has no field there is named as in the API. */
const labelOf = (fields: Texts["settings"]["fields"], name: string): string =>
  (fields as Record<string, { label: string } | undefined>)[name]?.label ?? name;

/** One id, or several of contacts that were deleted together. */
const IS_ID = /^[a-z]+_[0-9a-z]{26}\b/;

/** The pages of targets, by the beginning of the act's name. */
const PLACES: readonly (readonly [string, (id: string) => string])[] = [
  ["automation_", (id) => `/automations/${id}`],
  ["campaign_", (id) => `/campaigns/${id}`],
  ["deliveries_", (id) => `/campaigns/${id}/report`],
  ["import_", (id) => `/imports/${id}`],
  ["key_", () => "/settings/keys"],
  ["list_contact_", (id) => `/contacts/${id}`],
  ["webhook_", (id) => `/activity?tab=webhooks&hook=${id}`],
];

const addressOf = (what: string, id: string): string | null =>
  PLACES.find(([beginning]) => what.startsWith(beginning))?.[1](id) ?? null;
