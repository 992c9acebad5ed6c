import { attributesJson, byWord, email, firstName, hasAll, lastName, none, type Source } from "./source.ts";

export const keila: Source = {
  name: "keila",
  title: "keila",
  isWrittenBy: hasAll("Email", "First name", "Last name", "Data"),
  fields: {
    Email: email,
    "First name": firstName,
    "Last name": lastName,
    Data: attributesJson,
    ...none("External ID"),
  },
  standing: [
    {
      header: /^Status$/,
      isForAll: true,
      standingOf: byWord({ active: "default", unsubscribed: "UNSUBSCRIBED", unreachable: "BOUNCED" }),
    },
  ],
};
