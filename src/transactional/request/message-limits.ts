/** The limits for a subject and for each body, in bytes of UTF-8: the same as for a campaign. */
export { BODY_BYTES_MAX } from "#mail/letter/letter-text.ts";
export { SUBJECT_MAX } from "#mail/letter/subject.ts";
