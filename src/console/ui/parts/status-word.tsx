/** The four meanings of colour, and none. */
export type Tone = "good" | "look" | "bad" | "busy" | "quiet";

/** A state as a word with a dot: never colour alone. */
export function StatusWord({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span className="status-word" data-tone={tone}>
      {children}
    </span>
  );
}
