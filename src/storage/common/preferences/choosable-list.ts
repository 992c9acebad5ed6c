import type { ChoosableList } from "#preferences/choice.ts";

/** A public list, with the number of the contact that is on it. */
type PublicList = {
  readonly id: string;
  readonly name: string;
  readonly publicName: string;
  readonly description: string;
  readonly contact: number | null;
};

export const choosable = ({ id, name, publicName, description, contact }: PublicList): ChoosableList => ({
  id,
  name: publicName || name,
  description,
  isOn: contact !== null,
});
