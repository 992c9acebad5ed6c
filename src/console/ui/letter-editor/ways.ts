export type Way = "blocks" | "source" | "text";

/** A letter as the editor takes it. */
export type Written = {
  readonly format: "html" | "mjml";
  readonly body: string;
  readonly text?: string | null;
};
