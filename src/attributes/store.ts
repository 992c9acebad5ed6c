import type { AttributeUse } from "./attribute.ts";

/** The names of attributes in a workspace. Every method is one transaction. */
export type AttributeStore = {
  /** Every name that some contact has, by name. The cost does not depend on the number of contacts. */
  list(workspaceId: string): Promise<AttributeUse[]>;
  /** Takes a name off every contact. False: nobody has it. */
  remove(workspaceId: string, name: string): Promise<boolean>;
};
