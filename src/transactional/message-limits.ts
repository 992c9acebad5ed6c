export { SUBJECT_MAX } from "#mail/letter/request-letter.ts";

/** Of each body, in UTF-8; as for a campaign's. */
export const BODY_BYTES_MAX = 524_288;
