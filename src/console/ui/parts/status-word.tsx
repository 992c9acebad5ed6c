/** The four meanings of colour, and no meaning. */
export type Tone = "good" | "look" | "bad" | "busy" | "quiet";

/** A state as a word with a dot, because colour alone must not carry the meaning. */
export function StatusWord({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className="status-word" data-tone={tone}>
      {children}
    </span>
  );
}
