import type { Utm } from "#mail/letter/letter-options.ts";

const NAMES = ["source", "medium", "campaign"] as const satisfies readonly (keyof Utm)[];

/**
 * An address with the parameters `utm_source`, `utm_medium` and `utm_campaign` at the end of its query. Each is
 * added only if it has a value and the address does not have the parameter already. Everything else stays as
 * written.
 */
export function withUtm(address: string, utm: Utm): string {
  const [, before = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#[^]*)?$/.exec(address) ?? [];
  const known = new URLSearchParams(query ?? "");
  const added = NAMES.filter((name) => utm[name] !== "" && !known.has(`utm_${name}`)).map(
    (name) => `utm_${name}=${encodeURIComponent(utm[name].toWellFormed())}`,
  );
  if (added.length === 0) return address;
  const kept = query === undefined || query === "" || query.endsWith("&") ? (query ?? "") : `${query}&`;
  return `${before}?${kept}${added.join("&")}${fragment}`;
}
