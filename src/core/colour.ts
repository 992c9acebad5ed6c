/** A colour as three numbers from 0 to 255. */
type Colour = readonly [red: number, green: number, blue: number];

/**
 * The basic colour keywords of CSS, and no others. Pages only ever contain colours that were turned into our
 * own numbers.
 */
const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    black: "#000000",
    silver: "#c0c0c0",
    gray: "#808080",
    grey: "#808080",
    white: "#ffffff",
    maroon: "#800000",
    red: "#ff0000",
    purple: "#800080",
    fuchsia: "#ff00ff",
    green: "#008000",
    lime: "#00ff00",
    olive: "#808000",
    yellow: "#ffff00",
    navy: "#000080",
    blue: "#0000ff",
    teal: "#008080",
    aqua: "#00ffff",
    orange: "#ffa500",
  }),
);

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/;
const RGB = /^rgb\( ?(\d{1,3}) ?, ?(\d{1,3}) ?, ?(\d{1,3}) ?\)$/;

/**
 * A colour as `#rrggbb`, from `#rgb`, `#rrggbb`, `rgb(r, g, b)` or a basic keyword in any case; null for
 * anything else.
 */
export function parseColour(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 30) return null;
  const text = value.trim().toLowerCase();
  const named = NAMED.get(text);
  if (named !== undefined) return named;
  if (HEX.test(text)) return text.length === 7 ? text : text.replaceAll(/[0-9a-f]/g, "$&$&");
  const parts = RGB.exec(text)?.slice(1).map(Number);
  return parts === undefined || parts.some((part) => part > 255) ? null : hexOf(parts);
}

/**
 * Black or white, whichever is easier to read on the colour (WCAG 2, contrast ratio: the better one always
 * has at least 4.5).
 */
export function inkOn(colour: string): "#000000" | "#ffffff" {
  return contrast(colour, "#000000") > contrast(colour, "#ffffff") ? "#000000" : "#ffffff";
}

/** The least contrast of text with its background, and of a button's edge (WCAG 2.2, 1.4.3 and 1.4.11). */
export const TEXT_CONTRAST = 4.5;
export const EDGE_CONTRAST = 3;

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2). */
export function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(numbersOf(a)), luminance(numbersOf(b))].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** The colour, moved towards black or white only as far as it must be to stand out from all the grounds. */
export function readable(colour: string, grounds: readonly string[], ratio: number): string {
  const away = inkOn(grounds[0] ?? "#ffffff");
  for (let share = 0; share < 1; share += 0.04) {
    const moved = mix(away, colour, share);
    if (grounds.every((ground) => contrast(moved, ground) >= ratio)) return moved;
  }
  return away;
}

/** Mixes two colours: `share` of `a`, the rest of `b`. */
export function mix(a: string, b: string, share: number): string {
  const [from, to] = [numbersOf(a), numbersOf(b)];
  const mixed = (i: 0 | 1 | 2): number => Math.round(from[i] * share + to[i] * (1 - share));
  return hexOf([mixed(0), mixed(1), mixed(2)]);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function numbersOf(hex: string): Colour {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);
  return [part(1), part(3), part(5)];
}

const hexOf = (parts: readonly number[]): string =>
  `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
