import type { Contact, ContactUpdate } from "../../api/api.gen.ts";

/** Changes some fields of the person whose page it is. It rejects with the reason why not. */
export type SaveContact = (change: ContactUpdate) => Promise<Contact>;

/** Saves a list among their attributes. It has ended when the person has it, or when it failed. */
export type KeepList = (name: string, words: readonly string[]) => Promise<void>;
