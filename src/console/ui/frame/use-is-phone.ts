import { useMediaQuery } from "@mantine/hooks";

/** The width at which the stylesheets, too, put everything into one column. Known from the first drawing on. */
export const useIsPhone = (): boolean =>
  useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
