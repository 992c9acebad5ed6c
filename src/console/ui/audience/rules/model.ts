import type { SegmentRules } from "../../api/api.gen.ts";
import type { FieldKind, Op } from "./fields.ts";

/**
 * The rules of a segment while somebody edits them: chips in groups. `read.ts` makes them from the API's rules,
 * `write.ts` turns them back into rules, `edit.ts` changes them. What was not touched is written back exactly as it
 * was read. What cannot be edited here is kept in its place as a locked piece.
 */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [member: string]: Json };

/** Rules as the API takes them. It checks their form, and refuses what is none. */
export const asSegmentRules = (rules: Json): SegmentRules => rules as SegmentRules;

/** The meaning of a value that may be a text, a number, true or false. */
export type Meant = "text" | "number" | "yesNo";

/** A condition. Values are kept as they were typed. */
export type Chip = {
  readonly kind: "chip";
  readonly key: string;
  readonly field: FieldKind;
  /** The name of the attribute or event. */
  readonly name: string;
  readonly op: Op;
  readonly value: string;
  readonly meant: Meant;
  /** Empty: at any time. */
  readonly withinDays: string;
  /** Only for an event: the tests of its properties. */
  readonly where: readonly PropertyTest[];
  /** The condition as it was read; null once it was edited. */
  readonly raw: JsonObject | null;
};

export type PropertyTest = {
  readonly property: string;
  readonly op: Op;
  readonly value: string;
  readonly meant: Meant;
};

/** `none`: not one of its members may hold. */
export type Mode = "all" | "any" | "none";

export type Group = {
  readonly kind: "group";
  readonly key: string;
  readonly mode: Mode;
  readonly members: readonly Piece[];
};

/** A rule that stays as it is: it can be removed, but not edited. */
export type Locked = { readonly kind: "locked"; readonly key: string; readonly raw: Json };

export type Piece = Chip | Group | Locked;

export type RuleDraft = {
  readonly root: Group;
  /** The rules were one condition without a group. They are written that way again, unless there is more than one. */
  readonly isBare: boolean;
  /** The number that makes the next key. */
  readonly next: number;
};

export const EVERYBODY: RuleDraft = {
  root: { kind: "group", key: "k0", mode: "all", members: [] },
  isBare: false,
  next: 1,
};

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Every piece, from left to right, groups before their members. */
export function piecesOf(piece: Piece): Piece[] {
  return piece.kind === "group" ? [piece, ...piece.members.flatMap(piecesOf)] : [piece];
}
