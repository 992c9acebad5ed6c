import type { Texts } from "../en/index.ts";
import { automations } from "./automations.ts";
import { campaigns } from "./campaigns.ts";
import { frame } from "./frame.ts";
import { letter } from "./letter.ts";
import { overview } from "./overview.ts";
import { sending } from "./sending.ts";
import { signIn } from "./sign-in.ts";

export const de: Texts = {
  automations,
  campaigns,
  frame,
  letter,
  overview,
  sending,
  signIn,
};
