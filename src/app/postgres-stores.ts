/** Wiring: the stores, over one database of PostgreSQL. */
import type { Clock } from "#core/time/clock.ts";
import type { PostgresDatabase } from "#storage/postgres/engine/open.ts";
import { revisionsOf } from "#storage/postgres/engine/revisions.ts";
import { automationStore } from "#storage/postgres/automations/automation-store.ts";
import { runStore } from "#storage/postgres/automations/run/run-store.ts";
import { attributeStore } from "#storage/postgres/attributes/attribute-store.ts";
import { timelineStore } from "#storage/postgres/timeline/timeline-store.ts";
import { campaignStore } from "#storage/postgres/campaigns/campaign-store.ts";
import { outcomeFiguresStore } from "#storage/postgres/campaigns/outcome-figures-store.ts";
import { sendControlStore } from "#storage/postgres/campaigns/send-control-store.ts";
import { planStore } from "#storage/postgres/campaigns/plan/plan-store.ts";
import { audienceStore } from "#storage/postgres/campaigns/audience-store.ts";
import { suppressionStore } from "#storage/postgres/consent/suppression-store.ts";
import { contactStore } from "#storage/postgres/contacts/contact-store.ts";
import { listStore } from "#storage/postgres/lists/list-store.ts";
import { auditStore } from "#storage/postgres/audit/audit-store.ts";
import { hookTokenStore } from "#storage/postgres/inbound/hook-token-store.ts";
import { importStore } from "#storage/postgres/imports/import-store.ts";
import { mediaStore } from "#storage/postgres/media/media-store.ts";
import { statsStore } from "#storage/postgres/stats/stats-store.ts";
import { templateStore } from "#storage/postgres/templates/template-store.ts";
import { backupStore } from "#storage/postgres/users/backup-store.ts";
import { passkeyStore } from "#storage/postgres/users/passkey-store.ts";
import { sessionStore } from "#storage/postgres/users/session-store.ts";
import { userStore } from "#storage/postgres/users/user-store.ts";
import { shownLetterStore } from "#storage/postgres/previews/shown-letter-store.ts";
import { signupStore } from "#storage/postgres/forms/signup-store.ts";
import { preferencesStore } from "#storage/postgres/preferences/preferences-store.ts";
import { outboxStore } from "#storage/postgres/webhooks/outbox-store.ts";
import { webhookStore } from "#storage/postgres/webhooks/webhook-store.ts";
import { bounceStore } from "#storage/postgres/bounces/bounce-store.ts";
import { formStore } from "#storage/postgres/forms/form-store.ts";
import { ledgerStore } from "#storage/postgres/ledger/ledger-store.ts";
import type { OwnNode } from "#storage/postgres/ledger/nodes/node.ts";
import { messageStore } from "#storage/postgres/transactional/message-store.ts";
import { sendStore } from "#storage/postgres/transactional/send-store.ts";
import { nodeStore } from "#storage/postgres/run/node-store.ts";
import { scoringStore } from "#storage/postgres/scoring/scoring-store.ts";
import { eventStore } from "#storage/postgres/events/event-store.ts";
import { longQuestions } from "#storage/postgres/segments/long-questions.ts";
import { longTurns } from "#storage/postgres/engine/long-turns.ts";
import { segmentMembers } from "#storage/postgres/segments/segment-members.ts";
import { segmentStore } from "#storage/postgres/segments/segment-store.ts";
import { keyStore } from "#storage/postgres/workspaces/key-store.ts";
import { workspaceStore } from "#storage/postgres/workspaces/workspace-store.ts";

/** @param node this process, if it sends @param clock the machine's own: leases are measured by it */
export function postgresStores(database: PostgresDatabase, node: OwnNode, clock: Clock) {
  const revisions = revisionsOf(clock);
  const long = longTurns();
  const questions = longQuestions(database, long.questions);
  const signIn = { database, revisions };
  return {
    audit: auditStore(database),
    automations: automationStore(database),
    campaigns: campaignStore(database),
    sendControl: sendControlStore(database),
    audiences: audienceStore(database, questions),
    plans: planStore(database, node, long),
    outcomeFigures: outcomeFiguresStore(database),
    backups: backupStore(database),
    hookTokens: hookTokenStore(database),
    imports: importStore(database, node),
    keys: keyStore(database, revisions),
    forms: formStore(database),
    bounces: bounceStore(database),
    outbox: outboxStore(database, node),
    webhooks: webhookStore(database),
    preferences: preferencesStore(database),
    signups: signupStore(database),
    ledger: ledgerStore(database, node, clock),
    messages: messageStore(database),
    sends: sendStore(database, node, clock),
    lists: listStore(database),
    media: mediaStore(database),
    nodes: nodeStore(database, node),
    passkeys: passkeyStore(signIn),
    sessions: sessionStore(signIn),
    shownLetters: shownLetterStore(database),
    stats: statsStore(database),
    templates: templateStore(database),
    users: userStore(signIn),
    attributes: attributeStore(database),
    contacts: contactStore(database),
    timeline: timelineStore(database),
    runs: runStore(database),
    events: eventStore(database),
    scoring: scoringStore(database),
    segments: segmentStore(database),
    segmentMembers: segmentMembers(database, questions),
    suppressions: suppressionStore(database),
    workspaces: workspaceStore(database, revisions),
  };
}
