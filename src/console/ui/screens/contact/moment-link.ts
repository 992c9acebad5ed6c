import type { Moment } from "../../api/api.gen.ts";

type Details = Readonly<Record<string, unknown>>;

/**
 * Where something that happened to a person can be seen whole; null where there is no such place.
 * @param email theirs: by it their transactional mail is found
 */
export function placeOf({ kind, details }: Pick<Moment, "kind" | "details">, email: string): string | null {
  const known: Details = details;
  switch (kind) {
    case "list":
      return to("/lists/", known["listId"]);
    case "consent":
      return to("/forms/", known["formId"]) ?? to("/lists/", known["listId"]);
    case "suppression":
      return to("/settings/suppressions?q=", known["email"]);
    case "enrollment":
      return to("/automations/", known["automationId"]);
    case "event":
      return null;
    case "delivery":
    case "bounce":
    case "opened":
    case "clicked":
      return known["mail"] === "transactional"
        ? to("/activity?tab=messages&email=", email)
        : placeOfMail(known);
  }
}

/** What a message belonged to. It has no name where it is gone. */
function placeOfMail({ name, campaignId, automationId, formId }: Details): string | null {
  if (name === null) return null;
  return to("/campaigns/", campaignId) ?? to("/automations/", automationId) ?? to("/forms/", formId);
}

const to = (place: string, id: unknown): string | null =>
  typeof id === "string" && id !== "" ? `${place}${encodeURIComponent(id)}` : null;
