import { Title } from "@mantine/core";
import { IconChevronLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useTabTitle } from "../frame/use-tab-title.ts";

type Props = {
  readonly title: string;
  /** The part of the screen that is shown, where each has an address: the browser's tab names it first. */
  readonly part?: string;
  /** A word or two beside the title, such as a state. */
  readonly beside?: ReactNode;
  /** One sentence: what the screen is for. */
  readonly says?: ReactNode;
  /** On the right: search, and the one primary button. */
  readonly actions?: ReactNode;
  /** The page that this one belongs to. */
  readonly back?: { readonly href: string; readonly label: string };
  /** Uses the full width, for tables and canvases. */
  readonly wide?: boolean;
  readonly children: ReactNode;
};

/** A screen: its header, its name in the browser's tab, and one column. */
export function Page({ title, part, beside, says, actions, back, wide = false, children }: Props) {
  useTabTitle(part === undefined ? [title] : [part, title]);
  return (
    <div className={wide ? "page page-wide" : "page"}>
      <header className="page-header">
        {back && (
          <div className="page-way">
            <Link href={back.href} className="page-back">
              <IconChevronLeft size={16} aria-hidden />
              {back.label}
            </Link>
          </div>
        )}
        <div className="page-titles">
          <div className="page-title">
            <Title order={1}>{title}</Title>
            {beside}
          </div>
          {says && <p className="page-says">{says}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
