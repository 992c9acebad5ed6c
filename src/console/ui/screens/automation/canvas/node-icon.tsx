import {
  IconBolt,
  IconClock,
  IconFlag,
  IconForms,
  IconListCheck,
  IconListDetails,
  IconMail,
  IconPuzzle,
  IconTag,
  IconTagOff,
  IconTagStarred,
  IconUserMinus,
  IconUserPlus,
  IconWebhook,
  IconArrowsSplit2,
} from "@tabler/icons-react";
import type { NodeKind } from "../../../flow/node-kind.ts";

const ICONS = {
  newSubscriber: IconUserPlus,
  tagAdded: IconTagStarred,
  customEvent: IconBolt,
  wait: IconClock,
  condition: IconArrowsSplit2,
  sendEmail: IconMail,
  addTag: IconTag,
  removeTag: IconTagOff,
  addToList: IconListCheck,
  removeFromList: IconListDetails,
  setField: IconForms,
  webhook: IconWebhook,
  unsubscribe: IconUserMinus,
  end: IconFlag,
} as const satisfies Record<NodeKind, unknown>;

/** Has words beside it, so screen readers skip it. */
export function NodeIcon({ kind, size = 18 }: { readonly kind: NodeKind | null; readonly size?: number }) {
  const Icon = kind === null ? IconPuzzle : ICONS[kind];
  return <Icon size={size} stroke={1.7} aria-hidden />;
}
