import { byWord, email, hasAll, name, type Source } from "./source.ts";

export const substack: Source = {
  name: "substack",
  title: "substack",
  isWrittenBy: hasAll("email", "active_subscription"),
  fields: { email, name },
  standing: [
    {
      header: /^email_disabled$/,
      isForAll: true,
      standingOf: byWord({ true: "UNSUBSCRIBED", false: "default" }),
    },
  ],
};
