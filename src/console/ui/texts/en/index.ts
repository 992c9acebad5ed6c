import { account } from "./account.ts";
import { activity } from "./activity.ts";
import { automations } from "./automations.ts";
import { backups } from "./backups.ts";
import { campaigns } from "./campaigns.ts";
import { contact } from "./contact.ts";
import { contacts } from "./contacts.ts";
import { firstSteps } from "./first-steps.ts";
import { forms } from "./forms.ts";
import { frame } from "./frame.ts";
import { imports } from "./imports.ts";
import { keys } from "./keys.ts";
import { letter } from "./letter.ts";
import { lists } from "./lists.ts";
import { overview } from "./overview.ts";
import { passkeys } from "./passkeys.ts";
import { people } from "./people.ts";
import { report } from "./report.ts";
import { rules } from "./rules.ts";
import { scoring } from "./scoring.ts";
import { segments } from "./segments.ts";
import { sending } from "./sending.ts";
import { fromServer } from "./server.ts";
import { servers } from "./servers.ts";
import { settings } from "./settings.ts";
import { signIn } from "./sign-in.ts";
import { suppressions } from "./suppressions.ts";
import { templates } from "./templates.ts";
import { webhooks } from "./webhooks.ts";
import { welcome } from "./welcome.ts";

/** Every text of the console. The other languages have the same shape, or they do not compile. */
export type Texts = typeof en;

export const en = {
  account,
  activity,
  automations,
  backups,
  campaigns,
  contact,
  contacts,
  firstSteps,
  forms,
  frame,
  /** A sentence of the server in this language. */
  fromServer,
  imports,
  keys,
  letter,
  lists,
  overview,
  passkeys,
  people,
  report,
  rules,
  scoring,
  segments,
  sending,
  servers,
  settings,
  signIn,
  suppressions,
  templates,
  webhooks,
  welcome,
};
