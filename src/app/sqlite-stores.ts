/** Wiring: the stores, over SQLite. */
import { systemClock } from "#core/time/clock.ts";
import type { NodeStore } from "#nodes/store.ts";
import { attributeStore } from "#storage/sqlite/attributes/attribute-store.ts";
import { automationStore } from "#storage/sqlite/automations/automation-store.ts";
import { runStore } from "#storage/sqlite/automations/run/run-store.ts";
import { bounceStore } from "#storage/sqlite/bounces/bounce-store.ts";
import { audienceStore } from "#storage/sqlite/campaigns/audience-store.ts";
import { campaignStore } from "#storage/sqlite/campaigns/campaign-store.ts";
import { outcomeFiguresStore } from "#storage/sqlite/campaigns/outcome-figures-store.ts";
import { sendControlStore } from "#storage/sqlite/campaigns/send-control-store.ts";
import { planStore } from "#storage/sqlite/campaigns/plan/plan-store.ts";
import { suppressionStore } from "#storage/sqlite/consent/suppression-store.ts";
import { contactStore } from "#storage/sqlite/contacts/contact-store.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import { revisionsOf } from "#storage/sqlite/engine/revisions.ts";
import { workspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { eventStore } from "#storage/sqlite/events/event-store.ts";
import { formStore } from "#storage/sqlite/forms/form-store.ts";
import { signupStore } from "#storage/sqlite/forms/signup-store.ts";
import { hookTokenStore } from "#storage/sqlite/inbound/hook-token-store.ts";
import { importStore } from "#storage/sqlite/imports/import-store.ts";
import { ledgerStore } from "#storage/sqlite/ledger/ledger-store.ts";
import { listStore } from "#storage/sqlite/lists/list-store.ts";
import { mediaStore } from "#storage/sqlite/media/media-store.ts";
import { timelineStore } from "#storage/sqlite/timeline/timeline-store.ts";
import { preferencesStore } from "#storage/sqlite/preferences/preferences-store.ts";
import { shownLetterStore } from "#storage/sqlite/previews/shown-letter-store.ts";
import { scoringStore } from "#storage/sqlite/scoring/scoring-store.ts";
import { statsStore } from "#storage/sqlite/stats/stats-store.ts";
import { segmentMembers } from "#storage/sqlite/segments/segment-members.ts";
import { segmentQueries, type SegmentQueries } from "#storage/sqlite/segments/segment-queries.ts";
import { segmentStore } from "#storage/sqlite/segments/segment-store.ts";
import { messageStore } from "#storage/sqlite/transactional/message-store.ts";
import { sendStore } from "#storage/sqlite/transactional/send-store.ts";
import { templateStore } from "#storage/sqlite/templates/template-store.ts";
import { outboxStore } from "#storage/sqlite/webhooks/outbox-store.ts";
import { webhookStore } from "#storage/sqlite/webhooks/webhook-store.ts";
import { auditStore } from "#storage/sqlite/audit/audit-store.ts";
import { auditWrites } from "#storage/sqlite/audit/audit-writes.ts";
import { backupStore } from "#storage/sqlite/users/backup-store.ts";
import { passkeyStore } from "#storage/sqlite/users/passkey-store.ts";
import { sessionStore } from "#storage/sqlite/users/session-store.ts";
import { userStore } from "#storage/sqlite/users/user-store.ts";
import { keyStore } from "#storage/sqlite/workspaces/key-store.ts";
import { workspaceStore } from "#storage/sqlite/workspaces/workspace-store.ts";
import { startSegmentThread } from "#threads.ts";

/** Only one process uses the database, so there is nothing to list. */
const THE_ONLY_ONE: NodeStore = { list: async () => [] };

/** For every command. */
export function sqliteStores(database: SqliteDatabase) {
  const seqOf = workspaceSeq(database.sqlite);
  const segmentQuestions = segmentQueries(database, startSegmentThread, systemClock);
  const revisions = revisionsOf(database.sqlite);
  const audit = auditWrites(database.sqlite);
  const signIn = { database, seqOf, revisions, audit };
  return {
    attributes: attributeStore(database, seqOf),
    audit: auditStore(database, seqOf, audit),
    audiences: audienceStore(database, segmentQuestions, seqOf),
    automations: automationStore(database, seqOf),
    backups: backupStore(signIn),
    bounces: bounceStore(database, seqOf),
    campaigns: campaignStore(database, seqOf),
    contacts: contactStore(database, seqOf),
    events: eventStore(database, seqOf),
    forms: formStore(database, seqOf),
    hookTokens: hookTokenStore(database, seqOf),
    imports: importStore(database, seqOf),
    keys: keyStore(database, seqOf),
    ledger: ledgerStore(database),
    lists: listStore(database, seqOf),
    outcomeFigures: outcomeFiguresStore(database),
    media: mediaStore(database, seqOf),
    nodes: THE_ONLY_ONE,
    timeline: timelineStore(database, seqOf),
    preferences: preferencesStore(database, seqOf),
    runs: runStore(database, seqOf),
    messages: messageStore(database, seqOf),
    sendControl: sendControlStore(database, seqOf),
    scoring: scoringStore(database, seqOf),
    stats: statsStore(database, seqOf),
    segments: segmentStore(database, seqOf),
    segmentMembers: segmentMembers(database, segmentQuestions, seqOf),
    segmentQuestions,
    passkeys: passkeyStore(signIn),
    sessions: sessionStore(signIn),
    shownLetters: shownLetterStore(),
    suppressions: suppressionStore(database, seqOf),
    templates: templateStore(database, seqOf),
    users: userStore(signIn),
    webhooks: webhookStore(database, seqOf),
    workspaces: workspaceStore(database, seqOf),
  };
}

/** For a server, which sends. */
export function sqliteSendingStores({
  database,
  stores: { segmentQuestions },
}: {
  readonly database: SqliteDatabase;
  readonly stores: { readonly segmentQuestions: SegmentQueries };
}) {
  const seqOf = workspaceSeq(database.sqlite);
  return {
    plans: planStore(database, seqOf, segmentQuestions),
    sends: sendStore(database, seqOf),
    signups: signupStore(database),
    outbox: outboxStore(database),
  };
}
