import type { Texts } from "../en/index.ts";
import { frame } from "./frame.ts";
import { overview } from "./overview.ts";
import { signIn } from "./sign-in.ts";

export const de: Texts = { frame, overview, signIn };
