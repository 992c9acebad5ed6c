import type { Data } from "../../../flow/flow.ts";

/** The properties of the fields of every kind of step. */
export type FieldsProps = {
  readonly data: Data;
  /** Writes some members; undefined removes one. */
  readonly write: (members: Data) => void;
  readonly isDisabled: boolean;
};
