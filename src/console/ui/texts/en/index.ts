import { automations } from "./automations.ts";
import { campaigns } from "./campaigns.ts";
import { frame } from "./frame.ts";
import { letter } from "./letter.ts";
import { overview } from "./overview.ts";
import { sending } from "./sending.ts";
import { signIn } from "./sign-in.ts";

/** Every text of the console. The other languages have the same shape, or they do not compile. */
export type Texts = typeof en;

export const en = {
  automations,
  campaigns,
  frame,
  letter,
  overview,
  sending,
  signIn,
};
