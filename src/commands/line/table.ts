import { backup } from "#commands/backup.ts";
import { auditList } from "#commands/audit.ts";
import { automationList, automationRelease, automationSimulate } from "#commands/automation.ts";
import { blockedDomainAdd, blockedDomainList, blockedDomainRemove } from "#commands/blocked-domain.ts";
import { bouncesList, bouncesRemove, bouncesShow } from "#commands/bounces.ts";
import { campaignPause, campaignRelease, campaignResume, campaignStop } from "#commands/campaign.ts";
import type { Command } from "./command.ts";
import { completionCommand } from "#commands/completion/completion.ts";
import { consentList } from "#commands/consent.ts";
import { demo } from "#commands/demo.ts";
import { dkimCheck, dkimCreate, dkimShow } from "#commands/dkim.ts";
import { doctor } from "#commands/doctor.ts";
import { exportContacts } from "#commands/export-contacts.ts";
import { formRelease } from "#commands/form.ts";
import { health } from "#commands/health.ts";
import { helpCommand } from "./help.ts";
import { hookShow } from "#commands/hook.ts";
import { importContacts } from "#commands/import-contacts.ts";
import { keyCreate, keyList, keyRevoke } from "#commands/key.ts";
import { migrate } from "#commands/migrate.ts";
import { move } from "#commands/move.ts";
import { openapi } from "#commands/openapi.ts";
import { restore } from "#commands/restore.ts";
import { scoringAdd, scoringList, scoringRemove } from "#commands/scoring.ts";
import { segmentCount, segmentList, segmentShow } from "#commands/segment.ts";
import { serve } from "#commands/server/serve.ts";
import { settingsGet, settingsSet } from "#commands/settings.ts";
import { suppressionAdd, suppressionList, suppressionRemove } from "#commands/suppression.ts";
import { userAdd, userList, userRemove, userReset } from "#commands/user.ts";
import { version } from "#commands/version.ts";
import { workspaceCreate, workspaceList, workspaceShow } from "#commands/workspace.ts";

/** Every command, in the order of the help text. */
export const COMMANDS: readonly Command[] = [
  serve,
  workspaceCreate,
  workspaceList,
  workspaceShow,
  settingsGet,
  settingsSet,
  dkimCreate,
  dkimShow,
  dkimCheck,
  hookShow,
  keyCreate,
  keyList,
  keyRevoke,
  userAdd,
  userList,
  userReset,
  userRemove,
  auditList,
  suppressionAdd,
  suppressionRemove,
  suppressionList,
  blockedDomainAdd,
  blockedDomainRemove,
  blockedDomainList,
  bouncesList,
  bouncesShow,
  bouncesRemove,
  scoringAdd,
  scoringRemove,
  scoringList,
  segmentList,
  segmentShow,
  segmentCount,
  consentList,
  importContacts,
  exportContacts,
  campaignPause,
  campaignResume,
  campaignStop,
  campaignRelease,
  automationList,
  automationSimulate,
  automationRelease,
  formRelease,
  backup,
  restore,
  migrate,
  move,
  doctor,
  health,
  demo,
  openapi,
  version,
  completionCommand(() => COMMANDS),
  helpCommand(() => COMMANDS),
];
