import type { Said } from "../../server-words.ts";
import { account } from "./account.ts";
import { automations } from "./automations.ts";
import { backups } from "./backups.ts";
import { campaigns } from "./campaigns.ts";
import { checks } from "./checks.ts";
import { imports } from "./imports.ts";
import { letters } from "./letters.ts";
import { moments } from "./moments.ts";
import { people } from "./people.ts";
import { service } from "./service.ts";
import { settings } from "./settings.ts";

/** What the server says, in German. */
export const SAID: readonly Said[] = [
  ...account,
  ...automations,
  ...backups,
  ...campaigns,
  ...checks,
  ...imports,
  ...letters,
  ...moments,
  ...people,
  ...service,
  ...settings,
];
