import type { ContactUpdate } from "../../api/api.gen.ts";

/** Changes some fields of the person whose page it is. */
export type SaveContact = (change: ContactUpdate) => void;
