/**
 * A focus is never lost. Browsers put it nowhere when a button is disabled while it works, or a row is gone: then nothing
 * is marked, and a screen reader says nothing. So whatever had it gets it back as soon as it is enabled again. Where it is
 * gone, what stands beside it gets it: never a button or a field, because the key that removed one row may still be down.
 * So does what is around a button that has done its work and stays disabled, until it is enabled again.
 * What covered the screen and was closed gives it to what had it before: a menu's button, for a dialog that the menu opened.
 */

/** Others come first: a dialog that gives the focus back to what opened it, a new screen that takes it. */
const OTHERS_FIRST_MS = 100;

/** A dialog may have this many fields before it is closed. */
const BEFORE_MAX = 20;

const CONTROLS = `a, button, input, select, textarea, [contenteditable], [tabindex]:not([tabindex="-1"])`;

export function focusIsKept(): void {
  let had: HTMLElement | null = null;
  let before: readonly HTMLElement[] = [];
  let places: readonly Element[] = [];
  let standIn: { readonly of: HTMLElement; readonly place: Element | undefined } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isLost = (): boolean => had !== null && document.activeElement === document.body;
  const isStoodIn = (): boolean => standIn !== null && document.activeElement === standIn.place;
  const giveBack = (): void => {
    timer = undefined;
    if (standIn !== null && isStoodIn() && isUsable(standIn.of)) standIn.of.focus({ preventScroll: true });
    if (had === null || !isLost()) return;
    if (isUsable(had)) had.focus({ preventScroll: true });
    else if (!had.isConnected)
      focusOn(places.find(isPlace) ?? before.find(isUsable) ?? document.querySelector("main"));
    else if (isDone(had)) {
      standIn = { of: had, place: around(had).find(isPlace) };
      focusOn(standIn.place);
    }
  };

  const giveBackSoon = (): void => void (timer ??= setTimeout(giveBack, OTHERS_FIRST_MS));

  document.addEventListener("focusin", ({ target }) => {
    const left = had;
    if (left !== null) before = [left, ...before.filter((one) => one !== left)].slice(0, BEFORE_MAX);
    had = target instanceof HTMLElement ? target : null;
  });
  // Whoever points elsewhere wants to leave, and so does code that takes the focus from something that could keep it. With
  // the Tab key it goes on to something else, and for a moment nothing has it: that is no loss.
  document.addEventListener("pointerdown", () => (had = null), true);
  document.addEventListener("focusout", ({ target, relatedTarget }) =>
    queueMicrotask(() => {
      if (had === null || target !== had || !isLost()) return;
      if (!isUsable(had)) giveBackSoon();
      else if (relatedTarget === null) had = null;
    }),
  );
  new MutationObserver((changes) => {
    if (!isLost() && !isStoodIn()) return;
    const removal = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(had)));
    if (removal) places = placesBeside(removal);
    giveBackSoon();
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ["disabled", "data-loading"],
  });
}

const isUsable = (element: Element): boolean => element.checkVisibility() && !element.matches(":disabled");

/** Whether it is a button that is disabled, and not because it works. */
const isDone = (element: Element): boolean => element.matches("button:disabled:not([data-loading])");

/** What covers a screen is gone as a whole: what stands beside it is no place to go on. */
const isPlace = (element: Element): boolean =>
  isUsable(element) && !element.matches(CONTROLS) && element.closest("main, [role=dialog]") !== null;

/** What stands where something was removed, the nearest first: what follows, what precedes, what is around. */
function placesBeside({ target, nextSibling, previousSibling }: MutationRecord): readonly Element[] {
  const places: Element[] = [];
  for (const node of [nextSibling, previousSibling, target]) if (node instanceof Element) places.push(node);
  return [...places, ...around(target)];
}

function around(inner: Node): readonly Element[] {
  const outer = inner.parentElement;
  return outer === null ? [] : [outer, ...around(outer)];
}

function focusOn(place: Element | null | undefined): void {
  if (!(place instanceof HTMLElement)) return;
  if (place.tabIndex < 0 && !place.hasAttribute("tabindex")) {
    place.tabIndex = -1;
    const leave = (): void => {
      // Another window is in front: whoever comes back goes on here.
      if (document.activeElement === place) return;
      place.removeEventListener("blur", leave);
      place.removeAttribute("tabindex");
    };
    place.addEventListener("blur", leave);
  }
  place.focus({ preventScroll: true });
}
