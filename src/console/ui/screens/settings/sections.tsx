import type { ReactNode } from "react";
import { AccountSection } from "./account/account-section.tsx";
import { BackupsSection } from "./backups/backups-section.tsx";
import { KeysSection } from "./keys/keys-section.tsx";
import { LimitsSection } from "./limits/limits-section.tsx";
import { SECTION_PLACES, type SectionName } from "./section-places.ts";
import { ScoringSection } from "./scoring-section.tsx";
import { SendersSection } from "./mail/senders-section.tsx";
import { PeopleSection } from "./people/people-section.tsx";
import { RelaySection } from "./mail/relay-section.tsx";
import { ServersSection } from "./servers/servers-section.tsx";
import { SignupsSection } from "./signups-section.tsx";
import { SuppressionsSection } from "./suppressions/suppressions-section.tsx";
import { WebhooksSection } from "./webhooks/webhooks-section.tsx";
import { WorkspaceSection } from "./workspace-section.tsx";

const CONTENT: Readonly<Record<SectionName, () => ReactNode>> = {
  workspace: WorkspaceSection,
  senders: SendersSection,
  relay: RelaySection,
  limits: LimitsSection,
  signups: SignupsSection,
  people: PeopleSection,
  keys: KeysSection,
  webhooks: WebhooksSection,
  suppressions: SuppressionsSection,
  scoring: ScoringSection,
  backups: BackupsSection,
  servers: ServersSection,
  account: AccountSection,
};

/** In the order of the list on the screen. */
export const SECTIONS = SECTION_PLACES.map((place) => ({ ...place, Content: CONTENT[place.name] }));
