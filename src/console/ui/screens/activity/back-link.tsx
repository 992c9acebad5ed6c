import { IconChevronLeft } from "@tabler/icons-react";
import { Link } from "wouter";

/** A link back from one thing to all of its kind, within the tab. */
export function BackLink({ href, label }: { readonly href: string; readonly label: string }) {
  return (
    <Link href={href} className="page-back activity-back">
      <IconChevronLeft size={16} aria-hidden />
      {label}
    </Link>
  );
}
