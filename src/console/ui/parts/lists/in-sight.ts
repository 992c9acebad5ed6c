import { useEffect } from "react";

/** Brings the chosen one of a list into sight that scrolls sideways on a phone. @param selector of the chosen one */
export function useInSight(selector: string, chosen: string): void {
  useEffect(() => {
    document.querySelector(selector)?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [selector, chosen]);
}
