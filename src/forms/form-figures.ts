/**
 * What became of a form's submissions. Each counts once: somebody who signs up twice counts twice.
 */
export type FormFigures = {
  /** Confirmation mails that were asked for. */
  readonly asked: number;
  /** Those of them whose link was used. */
  readonly confirmed: number;
  /** Agreements by this form: confirmed ones, and those that needed no confirmation. */
  readonly joined: number;
  /** Those of them whose person gets mail no more: they left, bounced or were deleted. */
  readonly left: number;
};
