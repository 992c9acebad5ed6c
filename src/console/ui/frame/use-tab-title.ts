import { useEffect } from "react";

/** Names the browser's tab, the smallest part first. Without parts it stays as it is. */
export function useTabTitle(parts: readonly string[]): void {
  const title = parts.join(" · ");
  useEffect(() => {
    if (title !== "") document.title = `${title} · Postrider`;
  }, [title]);
}
