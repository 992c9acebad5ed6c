import type { ReportWay } from "#bounces/incoming.ts";
import type { KeptKind, Report } from "#bounces/report.ts";
import type { ConsentRecord } from "#contacts/consent/consent-entry.ts";
import type { Instant } from "#core/time/clock.ts";
import type { SmtpReply } from "#core/smtp-reply.ts";
import type { DeliveryState } from "#deliveries/ledger.ts";
import type { RecordedEvent } from "#events/event.ts";
import type { SuppressionReason } from "#suppression/reason.ts";
import type { DecisionSource } from "#core/decision-source.ts";

/** What a message was. A name is null where what it belonged to was deleted. */
export type SentMail =
  | { readonly kind: "campaign"; readonly campaignId: string; readonly name: string | null }
  | {
      readonly kind: "automation";
      readonly automationId: string | null;
      readonly nodeId: string | null;
      readonly name: string | null;
    }
  | { readonly kind: "transactional"; readonly sendId: string }
  | { readonly kind: "confirmation"; readonly formId: string | null; readonly name: string | null };

/** A report about a message, and how it came. */
type BounceReport = Pick<Report, "status" | "words"> & { readonly kind: KeptKind; readonly way: ReportWay };

export const MOMENT_KINDS = [
  "consent",
  "suppression",
  "list",
  "delivery",
  "opened",
  "clicked",
  "event",
  "enrollment",
  "bounce",
] as const satisfies readonly Moment["kind"][];

type Happening =
  | ({ readonly kind: "consent" } & Omit<ConsentRecord, "at" | "contactId">)
  | {
      readonly kind: "suppression";
      readonly email: string;
      readonly reason: SuppressionReason;
      /** Who suppressed it; null where that was not kept. */
      readonly source: DecisionSource | null;
    }
  | {
      readonly kind: "list";
      readonly action: "JOINED" | "LEFT";
      readonly listId: string;
      readonly name: string;
    }
  | {
      readonly kind: "delivery";
      readonly mail: SentMail;
      readonly state: Exclude<DeliveryState, "queued" | "dot" | "bounced">;
      readonly reason: string | null;
      readonly reply: SmtpReply | null;
    }
  | {
      readonly kind: "bounce";
      readonly mail: SentMail;
      readonly reason: string | null;
      readonly reply: SmtpReply | null;
      /** What a report said of it later; null where the relay refused it at once. */
      readonly report: BounceReport | null;
    }
  | { readonly kind: "opened" | "clicked"; readonly mail: SentMail }
  | ({ readonly kind: "event" } & Pick<RecordedEvent, "name" | "properties" | "valueCents" | "currency">)
  | {
      readonly kind: "enrollment";
      readonly action: "ENTERED" | "COMPLETED" | "FAILED";
      readonly enrollmentId: string;
      readonly automationId: string;
      readonly name: string;
      readonly error: string | null;
    };

/** Where a page of a timeline ended: `TIMELINE_PLACES` whole numbers, which only the store understands. */
export type TimelinePosition = readonly number[];
export const TIMELINE_PLACES = 4;

/** Something that happened to one person, or that they did. `id` is unique among theirs and never changes. */
export type Moment = { readonly id: string; readonly at: Instant } & Happening;
