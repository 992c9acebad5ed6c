/**
 * What stands in a dialog is kept nowhere else: what was typed into its form, and what is shown only once. A click beside
 * such a dialog does not close it, and the browser asks before the page is left. Its buttons and Escape close it: they are
 * pressed on purpose.
 */

/** For a part of a dialog that shows what cannot be shown again. */
export const SHOWN_ONCE = { "data-shown-once": "" } as const;

/** For a field that only answers a question: nobody misses what was typed there once the question is gone. */
export const ONLY_ANSWERS = { "data-only-answers": "" } as const;

/** No drawer or popover: what is typed there is a part of the page, which keeps it. */
const DIALOG = ".mantine-Modal-content";
const FIELD = "input:not([type=checkbox], [type=radio], [data-only-answers]), textarea";

type Field = HTMLInputElement | HTMLTextAreaElement;

export function dialogsAreHeld(): void {
  /** Fields of dialogs into which somebody typed. That their form was submitted says nothing: it may be refused. */
  const typed = new Set<Field>();

  const isHeld = (dialog: Element): boolean =>
    [...typed].some((field) => field.value !== "" && dialog.contains(field)) ||
    dialog.querySelector("[data-shown-once]") !== null;

  const onInput = ({ target }: Event): void => {
    for (const field of typed) if (!field.isConnected) typed.delete(field);
    if (isField(target) && target.form?.closest(DIALOG)) typed.add(target);
  };
  const onClick = (event: Event): void => {
    const beside = event.target instanceof Element ? event.target.closest(".mantine-Modal-overlay") : null;
    const dialog = beside?.closest(".mantine-Modal-root")?.querySelector(DIALOG);
    if (dialog && isHeld(dialog)) event.stopPropagation();
  };
  const onLeave = (event: Event): void => {
    if ([...document.querySelectorAll(DIALOG)].some(isHeld)) event.preventDefault();
  };
  addEventListener("input", onInput, true);
  addEventListener("click", onClick, true);
  addEventListener("beforeunload", onLeave);
}

const isField = (target: EventTarget | null): target is Field =>
  target instanceof Element && target.matches(FIELD);
