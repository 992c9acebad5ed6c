/** What became of a form's submissions. Every submission counts: somebody who signs up twice counts twice. */
export type FormFigures = {
  /** Confirmation mails that were asked for. */
  readonly asked: number;
  /** Those of them whose link was used. */
  readonly confirmed: number;
  /** Agreements by this form: confirmed ones, and those that needed no confirmation. */
  readonly joined: number;
  /** Of those, the people who get no more mail: they left, bounced or were deleted. */
  readonly left: number;
};
