import { frame } from "./frame.ts";
import { overview } from "./overview.ts";
import { signIn } from "./sign-in.ts";

/** Every text of the console. The other languages have the same shape, or they do not compile. */
export type Texts = typeof en;

export const en = { frame, overview, signIn };
