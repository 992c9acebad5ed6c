import type { Data } from "../../../flow/flow.ts";

/** What the fields of every kind of step get. */
export type FieldsProps = {
  readonly data: Data;
  /** Writes some members; undefined takes one away. */
  readonly write: (members: Data) => void;
  readonly isDisabled: boolean;
};
