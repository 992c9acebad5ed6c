import { refuse } from "#core/errors/errors.ts";

/** The answer to a change of a contact's address to one that another contact has. */
export const takenAddress = () =>
  refuse(
    "CONFLICT",
    "Another contact of this workspace has this address already: change or delete that one first.",
  );
