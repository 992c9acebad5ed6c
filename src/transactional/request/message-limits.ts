export { SUBJECT_MAX } from "#mail/letter/subject.ts";

/** The limit for each body, in bytes of UTF-8; the same as for a campaign. */
export const BODY_BYTES_MAX = 524_288;
