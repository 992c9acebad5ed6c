/**
 * What stands in a dialog is kept nowhere else: what was typed into its form, and what is shown only once. A click beside
 * such a dialog does not close it, and the browser asks before the page is left. Its buttons and Escape close it: they are
 * pressed on purpose.
 */

/** For a part of a dialog that shows what cannot be shown again. */
export const SHOWN_ONCE = { "data-shown-once": "" } as const;

/** No drawer or popover: what is typed there is a part of the page, which keeps it. */
const DIALOG = ".mantine-Modal-content";
const FIELD = "input:not([type=checkbox], [type=radio]), textarea";

type Field = HTMLInputElement | HTMLTextAreaElement;

export function dialogsAreHeld(): void {
  /** Fields of dialogs into which somebody typed, with whether their form was submitted since. */
  const typed = new Map<Field, { isSubmitted: boolean }>();

  const typedIn = (dialog: Element) =>
    [...typed].filter(([field]) => field.value !== "" && dialog.contains(field)).map(([, state]) => state);
  const isHeld = (dialog: Element): boolean =>
    typedIn(dialog).length > 0 || dialog.querySelector("[data-shown-once]") !== null;
  // A form that was submitted may lead to a download, for which browsers ask as if the page were left.
  const isLost = (dialog: Element): boolean =>
    isHeld(dialog) && !typedIn(dialog).some(({ isSubmitted }) => isSubmitted);

  const onInput = ({ target }: Event): void => {
    for (const field of typed.keys()) if (!field.isConnected) typed.delete(field);
    if (isField(target) && target.form?.closest(DIALOG)) typed.set(target, { isSubmitted: false });
  };
  const onSubmit = ({ target }: Event): void => {
    for (const [field, state] of typed) if (field.form === target) state.isSubmitted = true;
  };
  const onClick = (event: Event): void => {
    const beside = event.target instanceof Element ? event.target.closest(".mantine-Modal-overlay") : null;
    const dialog = beside?.closest(".mantine-Modal-root")?.querySelector(DIALOG);
    if (dialog && isHeld(dialog)) event.stopPropagation();
  };
  const onLeave = (event: Event): void => {
    if ([...document.querySelectorAll(DIALOG)].some(isLost)) event.preventDefault();
  };
  addEventListener("input", onInput, true);
  addEventListener("submit", onSubmit, true);
  addEventListener("click", onClick, true);
  addEventListener("beforeunload", onLeave);
}

const isField = (target: EventTarget | null): target is Field =>
  target instanceof Element && target.matches(FIELD);
