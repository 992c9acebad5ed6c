import { Type } from "@sinclair/typebox";
import { bulkItems, bulkResult, requiresItems } from "#http/body/bulk-schema.ts";
import { newEventBody } from "./schema.ts";

/** The wire shapes of POST /events/bulk (docs/contract.md "Many at once"). */

export const bulkEventsBody = Type.Object(
  { events: bulkItems(newEventBody, "What happened: 1 to 1,000 bodies of `POST /events`.") },
  {
    $id: "EventsCreate",
    description: "Many events.",
    ...requiresItems("events"),
    examples: [
      {
        events: [
          { name: "order_placed", email: "ada@example.com", value: 19.99, externalId: "order-4711" },
          { name: "signed_in", email: "grace@example.com" },
        ],
      },
    ],
  },
);

export const bulkEventsResult = bulkResult({
  $id: "EventsResult",
  description: "What became of each.",
  counts: {
    recorded: "How many were recorded.",
    duplicates: "How many were recorded before, under the same `externalId`.",
    failed: "How many could not be recorded.",
  },
  outcomes: ["RECORDED", "DUPLICATE", "FAILED"],
  id: {
    description: "The event's id, of a duplicate the first one's; null where it failed.",
    example: "ev_01kafd2m8r5w1n7xj3v9ct6bqe",
  },
});
