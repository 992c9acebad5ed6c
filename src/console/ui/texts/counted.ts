/** A number, and the same number in the format of the person's language. Texts with a count take this. */
export type Quantity = { readonly value: number; readonly shown: string };

/** "1 person" or "1,204 people". English and German both have a form for one, and another for everything else. */
export const counted = ({ value, shown }: Quantity, one: string, many: string): string =>
  `${shown} ${value === 1 ? one : many}`;
