/** How a letter is written: from blocks, as its source, or its text part by hand. */
export type WritingWay = "blocks" | "source" | "text";

/** A letter as the editor takes it. */
export type Written = {
  readonly format: "html" | "mjml";
  readonly body: string;
  readonly text?: string | null;
};
