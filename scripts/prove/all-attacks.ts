import { ON_JSON, type Attack } from "./attacks.ts";
import { ON_HTTP } from "./http-attacks.ts";
import { ON_MAILBOX } from "./mailbox-attacks.ts";
import { ON_MANY } from "./many-attacks.ts";
import { ON_ROWS } from "./row-attacks.ts";

export const ATTACKS: readonly Attack[] = [...ON_JSON, ...ON_HTTP, ...ON_MANY, ...ON_ROWS, ...ON_MAILBOX];
