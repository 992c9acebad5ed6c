/**
 * The tables as Drizzle sees them, one file for each folder of stores. `migrations/postgres` defines them, because
 * Drizzle cannot express triggers, storage parameters and trigram indexes. `test/storage/postgres/schema.test.ts`
 * compares the two, column by column.
 */
export * from "./tables/attributes.ts";
export * from "./tables/automations.ts";
export * from "./tables/bounces.ts";
export * from "./tables/campaigns.ts";
export * from "./tables/consent.ts";
export * from "./tables/contacts.ts";
export * from "./tables/events.ts";
export * from "./tables/forms.ts";
export * from "./tables/imports.ts";
export * from "./tables/inbound.ts";
export * from "./tables/ledger.ts";
export * from "./tables/lists.ts";
export * from "./tables/media.ts";
export * from "./tables/previews.ts";
export * from "./tables/run.ts";
export * from "./tables/scoring.ts";
export * from "./tables/segments.ts";
export * from "./tables/stats.ts";
export * from "./tables/templates.ts";
export * from "./tables/transactional.ts";
export * from "./tables/users.ts";
export * from "./tables/webhooks.ts";
export * from "./tables/workspaces.ts";
