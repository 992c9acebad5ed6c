import { backup } from "./backup.ts";
import { automationList, automationRelease, automationSimulate } from "./automation.ts";
import { blockedDomainAdd, blockedDomainList, blockedDomainRemove } from "./blocked-domain.ts";
import { campaignRelease } from "./campaign.ts";
import type { Command } from "./command.ts";
import { completionCommand } from "./completion/completion.ts";
import { consentList } from "./consent.ts";
import { demo } from "./demo.ts";
import { dkimCheck, dkimCreate, dkimShow } from "./dkim.ts";
import { doctor } from "./doctor.ts";
import { exportContacts } from "./export-contacts.ts";
import { formRelease } from "./form.ts";
import { health } from "./health.ts";
import { helpCommand } from "./help.ts";
import { importContacts } from "./import-contacts.ts";
import { keyCreate, keyList, keyRevoke } from "./key.ts";
import { openapi } from "./openapi.ts";
import { restore } from "./restore.ts";
import { scoringAdd, scoringList, scoringRemove } from "./scoring.ts";
import { serve } from "./serve.ts";
import { settingsGet, settingsSet } from "./settings.ts";
import { suppressionAdd, suppressionList, suppressionRemove } from "./suppression.ts";
import { version } from "./version.ts";
import { workspaceCreate, workspaceList, workspaceShow } from "./workspace.ts";

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
  keyCreate,
  keyList,
  keyRevoke,
  suppressionAdd,
  suppressionRemove,
  suppressionList,
  blockedDomainAdd,
  blockedDomainRemove,
  blockedDomainList,
  scoringAdd,
  scoringRemove,
  scoringList,
  consentList,
  importContacts,
  exportContacts,
  campaignRelease,
  automationList,
  automationSimulate,
  automationRelease,
  formRelease,
  backup,
  restore,
  doctor,
  health,
  demo,
  openapi,
  version,
  completionCommand(() => COMMANDS),
  helpCommand(() => COMMANDS),
];
