import { Skeleton } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTexts } from "../../texts/texts.tsx";

/** A first load that takes longer than this shows a sign of loading; a faster one shows nothing. */
const PATIENCE_MS = 300;

export function Loading({ lines = 4 }: { readonly lines?: number }) {
  const { frame } = useTexts();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" role="status" aria-label={frame.loading}>
      {isLong &&
        Array.from({ length: lines }, (_, line) => (
          <Skeleton key={line} height={16} width={`${90 - line * 12}%`} />
        ))}
    </div>
  );
}
