import type { ReactNode } from "react";
import type { Role } from "../../api/session.ts";
import type { Texts } from "../../texts/en/index.ts";
import { AccountSection } from "./account/account-section.tsx";
import { BackupsSection } from "./backups/backups-section.tsx";
import { KeysSection } from "./keys/keys-section.tsx";
import { LimitsSection } from "./limits/limits-section.tsx";
import { ScoringSection } from "./scoring-section.tsx";
import { SendersSection } from "./mail/senders-section.tsx";
import { PeopleSection } from "./people/people-section.tsx";
import { RelaySection } from "./mail/relay-section.tsx";
import { SignupsSection } from "./signups-section.tsx";
import { SuppressionsSection } from "./suppressions/suppressions-section.tsx";
import { WebhooksSection } from "./webhooks/webhooks-section.tsx";
import { WorkspaceSection } from "./workspace-section.tsx";

type SectionName = keyof Texts["settings"]["sections"];

/** In the order of the list beside them. */
export const SECTIONS: readonly {
  readonly name: SectionName;
  readonly Content: () => ReactNode;
  /** The least role that may see it; everybody unless given. */
  readonly role?: Role;
}[] = [
  { name: "workspace", Content: WorkspaceSection },
  { name: "senders", Content: SendersSection },
  { name: "relay", Content: RelaySection },
  { name: "limits", Content: LimitsSection },
  { name: "signups", Content: SignupsSection },
  { name: "people", Content: PeopleSection, role: "owner" },
  { name: "keys", Content: KeysSection, role: "owner" },
  { name: "webhooks", Content: WebhooksSection },
  { name: "suppressions", Content: SuppressionsSection },
  { name: "scoring", Content: ScoringSection },
  { name: "backups", Content: BackupsSection, role: "owner" },
  { name: "account", Content: AccountSection },
];
