/** What readers see of a list on the preferences page (docs/contract.md "What readers can choose"). */
export type ListOptions = {
  /** Whether readers see it at all, and may join and leave it by themselves. */
  readonly public: boolean;
  /** What it is called there; empty for the list's own name. */
  readonly publicName: string;
  /** One or two sentences below the name; may be empty. */
  readonly description: string;
};

export const DESCRIPTION_CHARACTERS_MAX = 500;

/** Nobody can choose among more. And the page stays small, whatever a program does. */
export const PUBLIC_LISTS_MAX = 100;
