import { useEffect } from "react";

/** Scrolls a list that moves sideways on a phone to its chosen item. @param selector of the chosen item */
export function useInSight(selector: string, chosen: string): void {
  useEffect(() => {
    document.querySelector(selector)?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [selector, chosen]);
}
