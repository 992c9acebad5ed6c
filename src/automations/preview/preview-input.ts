import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { isJsonObject, type JsonObject } from "#core/request/json-value.ts";
import type { MailPreviewBody } from "./schema.ts";

export type MailPreviewRequest = {
  readonly nodeId: string;
  /** The step as it is being edited; null: as it was saved. */
  readonly data: JsonObject | null;
  /** Null: an example person. */
  readonly contactId: string | null;
};

/** Reads the body of POST /automations/{id}/preview. `null` for an optional member means "not sent". */
export function parseMailPreview(body: MailPreviewBody): Result<MailPreviewRequest> {
  const nodeId: unknown = body.nodeId;
  if (typeof nodeId !== "string" || nodeId === "")
    return invalid("`nodeId` is missing: the id of a node that sends mail.");
  const data: unknown = body.data ?? null;
  if (data !== null && !isJsonObject(data)) return invalid("`data` must be an object, as in `flowJson`.");
  const contactId: unknown = body.contactId ?? null;
  if (contactId !== null && typeof contactId !== "string") return invalid("`contactId` must be a text.");
  return accept({ nodeId, data, contactId });
}
