import type { ReactNode } from "react";
import type { Role } from "../../api/session.ts";
import { facts } from "../../frame/page-facts.ts";
import type { Texts } from "../../texts/en/index.ts";
import { AccountSection } from "./account/account-section.tsx";
import { BackupsSection } from "./backups/backups-section.tsx";
import { KeysSection } from "./keys/keys-section.tsx";
import { LimitsSection } from "./limits/limits-section.tsx";
import { ScoringSection } from "./scoring-section.tsx";
import { SendersSection } from "./mail/senders-section.tsx";
import { PeopleSection } from "./people/people-section.tsx";
import { RelaySection } from "./mail/relay-section.tsx";
import { ServersSection } from "./servers/servers-section.tsx";
import { SignupsSection } from "./signups-section.tsx";
import { SuppressionsSection } from "./suppressions/suppressions-section.tsx";
import { WebhooksSection } from "./webhooks/webhooks-section.tsx";
import { WorkspaceSection } from "./workspace-section.tsx";

type SectionName = keyof Texts["settings"]["sections"];

type Section = {
  readonly name: SectionName;
  readonly Content: () => ReactNode;
  /** The least role that may see it; everybody unless given. */
  readonly role?: Role;
  /** False: this server has nothing to show there. */
  readonly isHere?: boolean;
};

const ALL: readonly Section[] = [
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
  // A server that makes its own backups has its data to itself.
  { name: "servers", Content: ServersSection, role: "owner", isHere: !facts.hasBackups },
  { name: "account", Content: AccountSection },
];

/** In the order of the list beside them. */
export const SECTIONS = ALL.filter(({ isHere = true }) => isHere);
