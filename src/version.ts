import { version } from "../package.json";

/** This program's version, also known inside the executable. */
export const VERSION: string = version;
