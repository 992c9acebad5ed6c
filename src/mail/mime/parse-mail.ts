import type PostalMime from "postal-mime";

/** Splits a mail into its parts. The library is loaded at first use: many services read no mail. */
export const parseMail: typeof PostalMime.parse = async (...mail) => {
  const { default: parser } = await import("postal-mime");
  return parser.parse(...mail);
};
