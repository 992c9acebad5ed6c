import type { Utm } from "#mail/letter/letter-options.ts";

const NAMES = ["source", "medium", "campaign"] as const satisfies readonly (keyof Utm)[];

/**
 * An address with the parameters `utm_source`, `utm_medium` and `utm_campaign`, each only where the address has
 * no parameter of that name and there is something to add. All else of the address stays as it is written;
 * they stand at the end of its query.
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
