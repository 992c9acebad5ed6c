import {
  createTheme,
  DEFAULT_THEME,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from "@mantine/core";
import { AS_TYPED, keepWhileComposing } from "../parts/typing.ts";

/** Our own teal: white on its seventh shade (dark: its sixth) has a contrast of more than 4.5:1. */
const teal: MantineColorsTuple = [
  "#e8f7f8",
  "#cfeced",
  "#a1d9dc",
  "#6fc4c9",
  "#42adb4",
  "#1f97a0",
  "#0f8089",
  "#0b6a73",
  "#0a565d",
  "#084349",
];

/** Greys with a little blue. */
const gray: MantineColorsTuple = [
  "#f7f9fa",
  "#eef2f4",
  "#e2e8eb",
  "#d3dbe0",
  "#b7c3ca",
  "#93a2ab",
  "#6b7b85",
  "#4f5d66",
  "#36424a",
  "#1f282e",
];

const dark: MantineColorsTuple = [
  "#dfe6ea",
  "#b6c2c9",
  "#93a2ab",
  "#5f6e77",
  "#3a464d",
  "#2b353b",
  "#222b30",
  "#182025",
  "#12191d",
  "#0c1215",
];

/**
 * What covers a screen is there at once. WebKit on Linux did not always draw what was to appear bit by bit: the screen was
 * grey, and the dialog with the focus in it was not seen.
 */
const AT_ONCE = { transitionProps: { duration: 0 } };

const theme = createTheme({
  primaryColor: "teal",
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: { teal, gray, dark },
  defaultRadius: 8,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  headings: {
    fontWeight: "650",
    sizes: {
      h1: { fontSize: "1.25rem", lineHeight: "1.3" },
      h2: { fontSize: "1rem", lineHeight: "1.35" },
      h3: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "sm" } },
    TextInput: { defaultProps: { size: "sm" } },
    Modal: { defaultProps: { ...AT_ONCE, centered: true, overlayProps: { backgroundOpacity: 0.45 } } },
    Popover: { defaultProps: AT_ONCE },
    Spotlight: { defaultProps: AT_ONCE },
    Tooltip: { defaultProps: { ...AT_ONCE, openDelay: 300, withArrow: true } },
    Paper: { defaultProps: { withBorder: true } },
    // If a list opens when Tab reaches it, it loses the mark set by an arrow key, and Enter undoes the choice.
    Select: { defaultProps: { openOnFocus: false } },
    MultiSelect: { defaultProps: { openOnFocus: false } },
    // Both take tags and names. The second asks less than other fields whether an input method is at work.
    Autocomplete: { defaultProps: AS_TYPED },
    TagsInput: { defaultProps: { ...AS_TYPED, onKeyDown: keepWhileComposing } },
    // The text under a label is read as often as the label.
    InputDescription: { defaultProps: { fz: 12, lh: 1.4 } },
  },
});

/**
 * The look of the whole console.
 * @param said the labels of buttons that Mantine makes: the one that closes a dialog, and the eye beside a password
 * @param mark the decimal mark of the person's language; other separators that are typed or pasted do not count
 */
export function themeOf(said: { close: string; showPassword: string }, mark: string): MantineThemeOverride {
  const closeButtonProps = { "aria-label": said.close };
  const visibilityToggleButtonProps = { "aria-label": said.showPassword };
  const { Modal } = theme.components ?? {};
  return {
    ...theme,
    components: {
      ...theme.components,
      Modal: { defaultProps: { ...Modal?.defaultProps, closeButtonProps } },
      Drawer: { defaultProps: { ...AT_ONCE, closeButtonProps } },
      PasswordInput: { defaultProps: { visibilityToggleButtonProps } },
      NumberInput: { defaultProps: { decimalSeparator: mark, allowedDecimalSeparators: [mark] } },
      // No placeholder that is hidden from screen readers but can be focused: a menu takes the focus itself.
      Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
      // No landmark inside a dialog: the page has its one banner already.
      ModalHeader: { defaultProps: { role: "none" } },
      DrawerHeader: { defaultProps: { role: "none" } },
    },
  };
}

const COLOURS = Object.keys(DEFAULT_THEME.colors).filter((name) => name !== "dark");

/** A colour in a low share, over any background: a note should not be the loudest thing on a screen. */
const tint = (name: string, percent: number): string =>
  `color-mix(in srgb, var(--mantine-color-${name}-7) ${percent}%, transparent)`;

/** Mantine's own dimmed text, placeholders and light badges are too pale to read (WCAG 1.4.3). */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-text": "var(--mantine-color-gray-9)",
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    "--mantine-color-placeholder": "var(--mantine-color-gray-7)",
    "--mantine-color-anchor": "var(--mantine-color-teal-8)",
    "--mantine-color-error": "#b3261e",
    "--ground": "var(--mantine-color-gray-0)",
    "--line": "var(--mantine-color-gray-3)",
    "--edge": "var(--mantine-color-gray-6)",
    ...Object.fromEntries(
      COLOURS.flatMap((name) => [
        [`--mantine-color-${name}-light`, tint(name, 12)],
        [`--mantine-color-${name}-light-hover`, tint(name, 18)],
        [
          `--mantine-color-${name}-light-color`,
          `color-mix(in srgb, var(--mantine-color-${name}-9), black 30%)`,
        ],
      ]),
    ),
  },
  dark: {
    "--mantine-color-body": "var(--mantine-color-dark-7)",
    "--mantine-color-text": "var(--mantine-color-dark-0)",
    "--mantine-color-dimmed": "var(--mantine-color-dark-1)",
    "--mantine-color-placeholder": "var(--mantine-color-dark-1)",
    "--mantine-color-anchor": "var(--mantine-color-teal-3)",
    "--mantine-color-error": "#ffb3a8",
    "--ground": "var(--mantine-color-dark-8)",
    "--line": "var(--mantine-color-dark-4)",
    "--edge": "var(--mantine-color-dark-2)",
    ...Object.fromEntries(
      COLOURS.flatMap((name) => [
        [`--mantine-color-${name}-light`, tint(name, 18)],
        [`--mantine-color-${name}-light-hover`, tint(name, 26)],
        [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-2)`],
      ]),
    ),
  },
});
