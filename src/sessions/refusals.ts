import { AppError } from "#core/errors/errors.ts";

/** The same words for an unknown address, so that nobody learns from them who has an account. */
export const wrongPassword = (): AppError =>
  new AppError("UNAUTHORIZED", "The address or the password is wrong.");

export const signInAgain = (): AppError =>
  new AppError("UNAUTHORIZED", "Sign in again: the session is over.");
