import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "wouter";
import { useSession } from "../../frame/session/session.tsx";

/** A button to the page where something new is made. Viewers get none: it would be refused. */
export function NewLink({ href, label }: { readonly href: string; readonly label: string }) {
  if (!useSession().may("editor")) return null;
  return (
    <Button component={Link} href={href} leftSection={<IconPlus size={16} aria-hidden />}>
      {label}
    </Button>
  );
}
