import { opsOf, valueKindOf, type FieldKind } from "./fields.ts";
import type { Chip, Group, Mode, Piece, RuleDraft } from "./model.ts";

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

/** Another field makes a new condition; another op keeps the value if it means the same. */
export const changeChip = (draft: RuleDraft, key: string, change: ChipChange): RuleDraft => ({
  ...draft,
  root: mapGroups(draft.root, (group) => ({
    ...group,
    members: group.members.map((member) =>
      member.key === key && member.kind === "chip" ? changed(member, change) : member,
    ),
  })),
});

function changed(chip: Chip, change: ChipChange): Chip {
  if (change.field !== undefined && change.field !== chip.field)
    return { ...freshChip(change.field), ...change, key: chip.key };
  const next = { ...chip, ...change, raw: null };
  const before = valueKindOf(chip.field, chip.op);
  const after = valueKindOf(next.field, next.op);
  if (before === after || change.value !== undefined) return next;
  const isText = (kind: string): boolean => kind === "text" || kind === "scalar";
  return isText(before) && isText(after) && next.meant === "text"
    ? next
    : { ...next, value: "", meant: "text" };
}

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
