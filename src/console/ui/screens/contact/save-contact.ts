import type { ContactUpdate } from "../../api/api.gen.ts";

/** Changes some fields of the person whose page it is. It has ended when they are saved, or when it failed. */
export type SaveContact = (change: ContactUpdate) => Promise<void>;
