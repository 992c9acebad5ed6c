import { useMediaQuery } from "@mantine/hooks";

/** The width at which the stylesheets, too, put everything into one column. Known from the first drawing on. */
export const useIsPhone = (): boolean =>
  useMediaQuery("(max-width: 45em)", undefined, { getInitialValueInEffect: false });

/** Whether the rail leaves a screen no more room than a phone has: the stylesheets use the same width. */
export const useIsNarrow = (): boolean =>
  useMediaQuery("(max-width: 59.5em)", undefined, { getInitialValueInEffect: false });
