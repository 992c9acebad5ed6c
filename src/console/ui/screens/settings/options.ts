export type Option = { readonly value: string; readonly label: string };

export const asOption = (name: string): Option => ({ value: name, label: name.replaceAll("_", " ") });

/** Every time zone that the browser knows. */
export const TIME_ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC")].map(
  asOption,
);

/** The languages of everything that readers see, each under its own name. */
export const LANGUAGE_OPTIONS = [
  { value: "en", label: "English" },
  { value: "de", label: "Deutsch" },
  { value: "fr", label: "Français" },
  { value: "es", label: "Español" },
  { value: "it", label: "Italiano" },
  { value: "pt", label: "Português" },
  { value: "nl", label: "Nederlands" },
  { value: "pl", label: "Polski" },
];
