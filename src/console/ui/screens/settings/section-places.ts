import type { Role } from "../../api/session.ts";
import { facts } from "../../frame/page-facts.ts";
import type { Texts } from "../../texts/en/index.ts";

export type SectionName = keyof Texts["settings"]["sections"];

/** A section of the settings without its content, so that Ctrl-K can list it before it is loaded. */
type SectionPlace = {
  readonly name: SectionName;
  /** The least role that may see it; everybody unless given. */
  readonly role?: Role;
  /** False: it does not exist on this server. */
  readonly isHere?: boolean;
};

const ALL: readonly SectionPlace[] = [
  { name: "workspace" },
  { name: "senders" },
  { name: "relay" },
  { name: "limits" },
  { name: "signups" },
  { name: "people", role: "owner" },
  { name: "keys", role: "owner" },
  { name: "webhooks" },
  { name: "suppressions" },
  { name: "scoring" },
  { name: "backups", role: "owner" },
  // A server that makes its own backups is the only one with its data.
  { name: "servers", role: "owner", isHere: !facts.hasBackups },
  { name: "account" },
];

/** In the order of the list on the screen. */
export const SECTION_PLACES = ALL.filter(({ isHere = true }) => isHere);

export const sectionHref = (name: SectionName): string =>
  name === "workspace" ? "/settings" : `/settings/${name}`;
