import { useState } from "react";
import { useChoices, type Choice } from "./choices.ts";
import { useMoreLists } from "./more-lists.ts";
import { NamePicker, type PickerProps } from "./name-picker.tsx";

type Props = PickerProps & { readonly lists: readonly Choice[] };

/** One list, or none. There may be more lists than are loaded: those are looked for on the server. */
export function ListPicker({ lists, ...props }: Props) {
  const [typed, setTyped] = useState("");
  const more = useMoreLists(useChoices("list"), { chosen: [props.value], typed });
  return <NamePicker {...props} choices={lists} found={more} onSearch={setTyped} />;
}
