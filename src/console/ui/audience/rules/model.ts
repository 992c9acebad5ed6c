import type { FieldKind, Op } from "./fields.ts";

/**
 * The rules of a segment while somebody edits them: chips in groups. `read.ts` makes them of what the API has,
 * `write.ts` makes rules of them again, `edit.ts` changes them. What was not touched is written back exactly as
 * it was read, and what cannot be edited here stands in its place as a locked piece.
 */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [member: string]: Json };

/** How a value that may be a text, a number, true or false is meant. */
export type Meant = "text" | "number" | "yesNo";

/** A condition. Values are kept as they were typed. */
export type Chip = {
  readonly kind: "chip";
  readonly key: string;
  readonly field: FieldKind;
  /** Of an attribute or an event. */
  readonly name: string;
  readonly op: Op;
  readonly value: string;
  readonly meant: Meant;
  /** Empty: at any time. */
  readonly withinDays: string;
  /** Of an event: what its properties have to be. */
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

/** A rule that is kept as it is: it can be removed, but not edited. */
export type Locked = { readonly kind: "locked"; readonly key: string; readonly raw: Json };

export type Piece = Chip | Group | Locked;

export type RuleDraft = {
  readonly root: Group;
  /** The rules were one condition without a group, and are written so again while they are one. */
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
