import { byWord, email, hasAll, name, type Source } from "./source.ts";

export const substack: Source = {
  name: "substack",
  title: "substack",
  isWrittenBy: (headers) => headers.has("email") && headers.has("active_subscription"),
  fields: { email, name },
  standing: [
    {
      header: /^email_disabled$/,
      isForAll: true,
      standingOf: byWord({ true: "UNSUBSCRIBED", false: "default" }),
    },
  ],
};
