import { opsOf, valueKindOf, type FieldKind } from "./fields.ts";
import type { Chip, Group, Meant, Mode, Piece, RuleDraft } from "./model.ts";

/** Changes of a draft. Each answers a new draft; the old one stays, so that a change can be undone. */

type ChipChange = Partial<Pick<Chip, "field" | "name" | "op" | "value" | "meant" | "withinDays" | "where">>;

export function addChip(draft: RuleDraft, groupKey: string, field: FieldKind): RuleDraft {
  return added(draft, groupKey, { ...freshChip(field), key: `k${draft.next}` });
}

export function addGroup(draft: RuleDraft, groupKey: string, mode: Mode): RuleDraft {
  return added(draft, groupKey, { kind: "group", key: `k${draft.next}`, mode, members: [] });
}

/** The key of what was added last. */
export const lastKey = ({ next }: RuleDraft): string => `k${next - 1}`;

function added(draft: RuleDraft, groupKey: string, piece: Piece): RuleDraft {
  const root = inGroup(draft.root, groupKey, (group) => ({ ...group, members: [...group.members, piece] }));
  return { ...draft, root, next: draft.next + 1 };
}

export const setMode = (draft: RuleDraft, groupKey: string, mode: Mode): RuleDraft => ({
  ...draft,
  root: inGroup(draft.root, groupKey, (group) => ({ ...group, mode })),
});

export const removePiece = (draft: RuleDraft, key: string): RuleDraft => ({
  ...draft,
  root: mapGroups(draft.root, (group) => ({
    ...group,
    members: group.members.filter((member) => member.key !== key),
  })),
});

/** What the values of an attribute are. Beside numbers there may be texts: what a file had there that was none. */
export function meantBy(types: readonly string[]): Meant {
  const [first, ...others] = types.filter((type) => type !== "string");
  if (others.length > 0) return "text";
  return first === "number" ? "number" : first === "boolean" ? "yesNo" : "text";
}

/**
 * Another field makes a new condition; another op keeps the value if it means the same.
 * @param usual what the values of its attribute are: a text finds no number
 */
export const changeChip = (
  draft: RuleDraft,
  key: string,
  change: ChipChange,
  usual: Meant = "text",
): RuleDraft => ({
  ...draft,
  root: mapGroups(draft.root, (group) => ({
    ...group,
    members: group.members.map((member) =>
      member.key === key && member.kind === "chip" ? changed(member, change, usual) : member,
    ),
  })),
});

function changed(chip: Chip, change: ChipChange, usual: Meant): Chip {
  if (change.field !== undefined && change.field !== chip.field)
    return { ...freshChip(change.field), ...change, key: chip.key };
  const next = { ...chip, ...change, raw: null };
  const before = valueKindOf(chip.field, chip.op);
  const after = valueKindOf(next.field, next.op);
  if (change.value !== undefined) return next;
  const isOpen = chip.value === "" || chip.meant === "yesNo";
  if (before === after && (change.name === undefined || !isOpen)) return next;
  const isText = (kind: string): boolean => kind === "text" || kind === "scalar";
  const isKept = isText(before) && isText(after) && next.meant === "text" && !isOpen;
  return isKept ? next : { ...next, ...unsaid(after === "scalar" ? usual : "text") };
}

/** Of yes and no one is always chosen. */
const unsaid = (meant: Meant): Pick<Chip, "value" | "meant"> => ({
  value: meant === "yesNo" ? "true" : "",
  meant,
});

function freshChip(field: FieldKind): Chip {
  const [op = "equals"] = opsOf(field);
  const first: Partial<Record<FieldKind, string>> = {
    status: "SUBSCRIBED",
    received: "any",
    opened: "any",
    clicked: "any",
    event: "1",
  };
  return {
    kind: "chip",
    key: "",
    field,
    name: "",
    op,
    value: first[field] ?? "",
    meant: "text",
    withinDays: "",
    where: [],
    raw: null,
  };
}

const inGroup = (root: Group, key: string, change: (group: Group) => Group): Group =>
  mapGroups(root, (group) => (group.key === key ? change(group) : group));

function mapGroups(group: Group, change: (group: Group) => Group): Group {
  const next = change(group);
  return {
    ...next,
    members: next.members.map((member) => (member.kind === "group" ? mapGroups(member, change) : member)),
  };
}
