import { isSent } from "#core/request/sent.ts";

/**
 * Which requests to the API are written into the audit log (docs/contract.md "Who did what"): sends, exports,
 * imports, deletions, settings, keys and people. Not recorded: reading, and making or editing things, because
 * those can be looked at. Signing in is recorded where it happens (`sessions/store.ts`).
 */
type Recorded = {
  readonly what: string;
  /** What it was done to; without this, what the path names. */
  readonly target?: (asked: Asked) => string | null;
  /** Record it only if something changed. Only for work in one transaction of the one writer, which sees changes. */
  readonly onlyIfChanged?: true;
  /** Which requests count; without this, all of them. */
  readonly when?: (body: Body) => boolean;
};

type Body = Readonly<Record<string, unknown>>;

type Asked = {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The member `data` of the answer. */
  readonly data: Body;
};

const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);
const madeId = ({ data }: Asked): string | null => textOr(data["id"]);
const madeEmail = ({ data }: Asked): string | null => textOr(data["email"]);
/** Null where they were chosen by rules. */
const chosenIds = ({ contactIds }: Body): string | null =>
  Array.isArray(contactIds) ? contactIds.join(", ").slice(0, 500) : null;
const sentNames = ({ body }: Asked): string => Object.keys(body).join(", ").slice(0, 500);

/** By method and path. */
export const RECORDED: Readonly<Record<string, Recorded>> = {
  "DELETE /attributes/:name": { what: "attribute_deleted" },
  "DELETE /automations/:id": { what: "automation_deleted" },
  "PATCH /automations/:id": { what: "automation_status_changed", when: ({ status }) => isSent(status) },
  "POST /blocked-domains": {
    what: "domain_blocked",
    target: ({ data }) => textOr(data["domain"]),
    onlyIfChanged: true,
  },
  "DELETE /blocked-domains/:domain": { what: "domain_unblocked" },
  "DELETE /bounces/:id": { what: "bounce_deleted" },
  "DELETE /campaigns/:id": { what: "campaign_deleted" },
  "POST /campaigns/:id/send": { what: "campaign_sent" },
  "POST /campaigns/:id/schedule": { what: "campaign_scheduled" },
  "DELETE /campaigns/:id/schedule": { what: "campaign_unscheduled" },
  "POST /campaigns/:id/pause": { what: "campaign_paused" },
  "POST /campaigns/:id/resume": { what: "campaign_resumed" },
  "POST /campaigns/:id/stop": { what: "campaign_stopped" },
  "POST /campaigns/:id/test": { what: "campaign_tested" },
  "DELETE /contacts/:id": { what: "contact_deleted" },
  "POST /contacts/actions": {
    what: "contacts_deleted",
    when: ({ action }) => action === "delete",
    target: ({ body }) => chosenIds(body),
  },
  "GET /exports/contacts": { what: "contacts_exported", target: () => null },
  "POST /exports/contacts": { what: "contacts_exported", target: () => null },
  "GET /exports/campaigns/:id/deliveries": { what: "deliveries_exported" },
  "DELETE /forms/:id": { what: "form_deleted" },
  "POST /imports": { what: "import_started", target: madeId },
  "DELETE /imports/:id": { what: "import_cancelled" },
  "POST /keys": { what: "key_created", target: madeId },
  "DELETE /keys/:id": { what: "key_revoked", onlyIfChanged: true },
  "DELETE /lists/:id": { what: "list_deleted" },
  "DELETE /lists/:id/contacts/:contactId": {
    what: "list_contact_removed",
    target: ({ params }) => params["contactId"] ?? null,
  },
  "DELETE /media/:id": { what: "media_deleted" },
  "DELETE /scoring-rules/:id": { what: "scoring_rule_deleted" },
  "DELETE /segments/:id": { what: "segment_deleted" },
  "PATCH /settings": { what: "settings_changed", target: sentNames, onlyIfChanged: true },
  "POST /suppressions": { what: "address_suppressed", target: madeEmail, onlyIfChanged: true },
  "DELETE /suppressions/:email": { what: "suppression_removed" },
  "DELETE /templates/:id": { what: "template_deleted" },
  "POST /users": { what: "person_invited", target: madeEmail },
  "PATCH /users/:id": {
    what: "role_changed",
    target: madeEmail,
    onlyIfChanged: true,
    when: ({ role }) => isSent(role),
  },
  "DELETE /users/:id": { what: "person_removed" },
  "POST /webhooks": { what: "webhook_created", target: madeId },
  "PATCH /webhooks/:id": { what: "webhook_changed", onlyIfChanged: true },
  "DELETE /webhooks/:id": { what: "webhook_deleted" },
  "POST /webhooks/:id/rotate": { what: "webhook_secret_rotated" },
};

/** Whether a route has requests that are recorded. */
export const isRecorded = (method: string, path: string): boolean => `${method} ${path}` in RECORDED;

/** How a request is recorded; null if it is not. */
export function recordedAs(
  method: string,
  path: string,
  body: Body,
): Pick<Recorded, "what" | "onlyIfChanged"> | null {
  const recorded = RECORDED[`${method} ${path}`];
  return recorded === undefined || recorded.when?.(body) === false ? null : recorded;
}

/** What the path names: the first of its parameters. */
export const pathTarget = (params: Asked["params"]): string | null => Object.values(params)[0] ?? null;

/** The target that only the answer tells; undefined if the path names it. */
export function answeredTarget(method: string, path: string, asked: Asked): string | null | undefined {
  return RECORDED[`${method} ${path}`]?.target?.(asked);
}
