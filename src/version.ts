import { version } from "../package.json";

/** This program's version, also inside the executable. */
export const VERSION: string = version;
