import { attributesJson, byWord, email, hasAll, name, none, type Source } from "./source.ts";

/** Who leaves a list there stays `enabled`: its own link for that changes the list's record, which is in no column. */
export const listmonk: Source = {
  name: "listmonk",
  title: "listmonk",
  isWrittenBy: hasAll("email", "name", "status", "attributes"),
  fields: { email, name, attributes: attributesJson, ...none("uuid", "created_at", "updated_at") },
  standing: [
    {
      header: /^status$/,
      isForAll: true,
      standingOf: byWord({
        enabled: "default",
        disabled: "UNSUBSCRIBED",
        blocklisted: { suppress: "MANUAL" },
      }),
    },
  ],
  hidesLeavers: true,
};
