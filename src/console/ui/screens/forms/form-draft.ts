import type { Form, FormUpdate } from "../../api/api.gen.ts";

/** A form while somebody edits it. Members of its style that are not known here are kept as they are. */
export type FormDraft = {
  readonly name: string;
  readonly listId: string | null;
  readonly fields: readonly string[];
  readonly successMessage: string;
  readonly style: Readonly<Record<string, unknown>>;
};

export const COLOURS = ["buttonColor", "buttonTextColor", "backgroundColor", "textColor"] as const;

export const draftOf = ({ name, listId, fields, successMessage, style }: Form): FormDraft => ({
  name,
  listId,
  fields,
  successMessage,
  style: { ...style },
});

/** Sets a member of the style; an empty value removes it. */
export function withStyle(draft: FormDraft, member: string, value: string | number): FormDraft {
  const style: Record<string, unknown> = { ...draft.style };
  if (value === "") delete style[member];
  else style[member] = value;
  return { ...draft, style };
}

export const styleText = ({ style }: FormDraft, member: string): string => {
  const value = Object.hasOwn(style, member) ? style[member] : "";
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

export const bodyOf = ({ fields, ...draft }: FormDraft): Required<FormUpdate> => ({
  ...draft,
  fields: [...fields],
  style: { ...draft.style },
});

const HEX = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;

export const isColour = (text: string): boolean => HEX.test(text);

/** WCAG 2.2, 1.4.3: from this contrast on, nearly everybody can read a text. */
const CONTRAST_MIN = 4.5;

/** The contrast of two colours, from 1 to 21 (WCAG 2.2 "contrast ratio"). */
export function contrastOf(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const digits = colour.slice(1);
  const full = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(full.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export type ContrastProblem = { readonly what: "onButton" | "onGround"; readonly ratio: number };

/** Pairs of chosen colours that many cannot read. Colours that are not chosen are set by the page, readably. */
export function contrastProblems(draft: FormDraft): ContrastProblem[] {
  const pairs = [
    ["onButton", "buttonTextColor", "buttonColor"],
    ["onGround", "textColor", "backgroundColor"],
  ] as const;
  return pairs.flatMap(([what, text, ground]) => {
    const [ink, paper] = [styleText(draft, text), styleText(draft, ground)];
    if (!isColour(ink) || !isColour(paper)) return [];
    const ratio = contrastOf(ink, paper);
    return ratio < CONTRAST_MIN ? [{ what, ratio }] : [];
  });
}
