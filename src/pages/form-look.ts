import { inkOn, mix, parseColour } from "./colour.ts";

const BUTTON_TEXT = "Subscribe";
const BUTTON_TEXT_MAX = 60;
const BUTTON = "#1f56c3";
const GROUND = "#ffffff";

/** What a form's `style` gives: our own numbers and colours, and one text that still has to be escaped. */
export type FormLook = {
  readonly buttonText: string;
  readonly button: string;
  readonly onButton: string;
  /**
   * Null: neither background nor text colour was chosen. Then the page's own colours apply, light or dark.
   */
  readonly card: {
    readonly ground: string;
    readonly ink: string;
    readonly soft: string;
    readonly line: string;
  } | null;
  readonly cornerRadiusPx: number;
  readonly fontSizePx: number;
  /** Whether the button's colours were chosen; if not, a page may use better ones. */
  readonly hasOwnButton: boolean;
};

/**
 * Reads a stored style. Ignores what it does not understand, so that no style can break a page or inject
 * anything into it.
 */
export function formLook(style: Readonly<Record<string, unknown>>): FormLook {
  const own = (key: string): unknown => (Object.hasOwn(style, key) ? style[key] : undefined);
  const colour = (key: string): string | null => parseColour(own(key));
  const button = colour("buttonColor") ?? BUTTON;
  return {
    buttonText: buttonText(own("buttonText")),
    button,
    onButton: colour("buttonTextColor") ?? inkOn(button),
    card: cardOf(colour("backgroundColor"), colour("textColor")),
    cornerRadiusPx: pixels(own("cornerRadius"), 0, 48) ?? 8,
    fontSizePx: pixels(own("fontSize"), 12, 32) ?? 16,
    hasOwnButton: (colour("buttonColor") ?? colour("buttonTextColor")) !== null,
  };
}

/** A text colour alone could be unreadable on a dark page, so a background is added. */
function cardOf(background: string | null, text: string | null): FormLook["card"] {
  const ground = background ?? (text === null ? null : groundFor(text));
  if (ground === null) return null;
  const ink = text ?? inkOn(ground);
  return { ground, ink, soft: mix(ink, ground, 0.8), line: mix(ink, ground, 0.55) };
}

const groundFor = (text: string): string => (inkOn(text) === "#ffffff" ? GROUND : "#14181e");

function buttonText(value: unknown): string {
  if (typeof value !== "string") return BUTTON_TEXT;
  return Array.from(value.trim()).slice(0, BUTTON_TEXT_MAX).join("") || BUTTON_TEXT;
}

/** A number, or a text such as `8` or `8px`, within the bounds; null for anything else. */
function pixels(value: unknown, min: number, max: number): number | null {
  const isText = typeof value === "string" && /^\s*\d{1,3}(?:\.\d{1,2})?\s*(?:px)?\s*$/.test(value);
  const size = typeof value === "number" ? value : isText ? Number.parseFloat(value) : Number.NaN;
  return size >= min && size <= max ? Math.round(size * 100) / 100 : null;
}
