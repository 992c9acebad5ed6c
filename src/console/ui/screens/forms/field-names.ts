const OWN = ["firstName", "lastName"] as const;

/**
 * The fields of every contact, as people call them. An attribute that is called so keeps its name for itself: the
 * field is then called as in the API.
 * @param attributes those of the workspace, and those that the form asks for: a new one belongs to nobody yet
 */
export function fieldNames(
  own: Readonly<Record<(typeof OWN)[number], string>>,
  attributes: readonly string[],
) {
  const called = OWN.filter((field) => !attributes.includes(own[field]));
  const shown = (field: string): string => {
    const known = called.find((each) => each === field);
    return known === undefined ? field : own[known];
  };
  return {
    offered: [...new Set([...OWN, ...attributes])].map(shown),
    shown,
    stored: (name: string): string => called.find((field) => own[field] === name) ?? name,
  };
}
