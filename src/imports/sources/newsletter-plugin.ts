import { byWord, email, firstName, hasAll, lastName, none, type Source } from "./source.ts";

/** The plugin "Newsletter" for WordPress: a letter says how somebody stands. Its `S` is who has not confirmed. */
export const newsletterPlugin: Source = {
  name: null,
  title: "the plugin Newsletter",
  isWrittenBy: hasAll("Email", "Surname", "Status", "Token", "Feed by mail", "Follow up"),
  fields: {
    Email: email,
    Name: firstName,
    Surname: lastName,
    ...none("Token", "Feed by mail", "Follow up", "IP", "ID", "WP User ID", "Last Activity"),
  },
  standing: [
    {
      header: /^Status$/,
      isForAll: true,
      standingOf: byWord({
        c: "default",
        s: "PENDING",
        u: "UNSUBSCRIBED",
        b: "BOUNCED",
        p: { suppress: "COMPLAINT" },
      }),
    },
  ],
};
