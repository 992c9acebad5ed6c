import type PostalMime from "postal-mime";

/** Takes a mail apart. The library is loaded when it is needed and not before: many services read no mail. */
export const parseMail: typeof PostalMime.parse = async (...mail) => {
  const { default: parser } = await import("postal-mime");
  return parser.parse(...mail);
};
