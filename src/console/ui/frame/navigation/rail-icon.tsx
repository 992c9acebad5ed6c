import {
  IconAddressBook,
  IconActivity,
  IconForms,
  IconLayoutDashboard,
  IconMail,
  IconRoute,
  IconSettings,
  IconTemplate,
} from "@tabler/icons-react";
import type { IconName } from "../../screens.ts";

const ICONS = {
  overview: IconLayoutDashboard,
  campaigns: IconMail,
  automations: IconRoute,
  audience: IconAddressBook,
  forms: IconForms,
  templates: IconTemplate,
  activity: IconActivity,
  settings: IconSettings,
} as const satisfies Record<IconName, unknown>;

export function RailIcon({ name }: { readonly name: IconName }) {
  const Icon = ICONS[name];
  return <Icon size={18} stroke={1.7} aria-hidden />;
}
