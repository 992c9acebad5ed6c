import { AppError } from "./errors.ts";

/**
 * A question about contacts that was stopped, so that others get their answers. The rules are the reason, so it would be
 * stopped again: the caller has to change them.
 */
export class QuestionTooLong extends AppError {
  constructor(cause?: unknown) {
    super(
      "VALIDATION_ERROR",
      "Counting these people took longer than 5 minutes and was stopped. Make the segments that are asked for or left out simpler: fewer conditions in them, or fewer of them.",
      { cause },
    );
    this.name = "QuestionTooLong";
  }
}
