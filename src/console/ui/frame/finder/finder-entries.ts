import type { Role } from "../../api/session.ts";
import type { IconName } from "../../screens.ts";
import { SECTION_PLACES, sectionHref } from "../../screens/settings/section-places.ts";
import type { Texts } from "../../texts/en/index.ts";
import { useTexts } from "../../texts/texts.tsx";
import { usePlaces } from "../navigation/places.ts";
import { useSession } from "../session/session.tsx";

/** A destination of Ctrl-K that needs no request to the server. */
export type Entry = {
  readonly href: string;
  readonly label: string;
  /** What it is a part of. */
  readonly says?: string;
  readonly icon: IconName;
  /** Whether it is shown before anything is typed. */
  readonly isFirst: boolean;
};

type Action = {
  readonly href: string;
  readonly icon: IconName;
  readonly role: Role;
  label(texts: Texts): string;
};

const ACTIONS: readonly Action[] = [
  { href: "/campaigns/new", icon: "campaigns", role: "editor", label: ({ campaigns }) => campaigns.new },
  { href: "/imports/new", icon: "audience", role: "editor", label: ({ contacts }) => contacts.import },
  { href: "/segments/new", icon: "audience", role: "editor", label: ({ segments }) => segments.create },
  { href: "/templates/new", icon: "templates", role: "editor", label: ({ templates }) => templates.new },
];

/** Pages, things that can be created, and the sections of the settings, as far as the person may use them. */
export function useEntries(): Entry[] {
  const texts = useTexts();
  const { may } = useSession();
  const places = usePlaces().map(({ path, label, icon }): Entry => ({
    href: path,
    label: label(texts),
    icon,
    isFirst: true,
  }));
  const actions = ACTIONS.filter(({ role }) => may(role)).map(({ href, label, icon }): Entry => ({
    href,
    label: label(texts),
    icon,
    isFirst: true,
  }));
  const sections = SECTION_PLACES.filter(({ role = "viewer" }) => may(role)).map(({ name }): Entry => ({
    href: sectionHref(name),
    label: texts.settings.sections[name],
    says: texts.settings.title,
    icon: "settings",
    isFirst: false,
  }));
  return [...places, ...actions, ...sections];
}

/** Whether it fits what somebody typed. */
export const isMeant = ({ label, says = "", isFirst }: Entry, wanted: string): boolean =>
  wanted === "" ? isFirst : `${label} ${says}`.toLowerCase().includes(wanted.toLowerCase());
