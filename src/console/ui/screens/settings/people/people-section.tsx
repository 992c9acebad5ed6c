import { Button, Select } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { User } from "../../../api/api.gen.ts";
import { api, ok } from "../../../api/client.ts";
import { usePages } from "../../../api/pages.ts";
import type { Role } from "../../../api/session.ts";
import { DataTable } from "../../../parts/lists/data-table.tsx";
import { Paged } from "../../../parts/lists/paged.tsx";
import { RelativeTime } from "../../../parts/relative-time.tsx";
import { sayRefusal } from "../../../parts/saving/undo.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { InvitePerson } from "./invite-person.tsx";
import { RemovePerson } from "./remove-person.tsx";
import { useRoleOptions } from "./role-options.ts";
import { Section } from "../parts/section.tsx";

/** Who may sign in, and what they may do. */
export function PeopleSection() {
  const { people } = useTexts();
  const [isInviting, setInviting] = useState(false);
  const [leaving, setLeaving] = useState<User | null>(null);
  const pages = usePages<User>(["users"], ({ query, signal }) =>
    ok(api.GET("/api/v1/users", { params: { query }, signal })),
  );
  return (
    <Section
      title={people.title}
      says={people.says}
      actions={<Button onClick={() => setInviting(true)}>{people.invite}</Button>}
    >
      <Paged pages={pages} empty={<p>{people.none}</p>}>
        {(items) => (
          <DataTable
            items={items}
            keyOf={({ id }) => id}
            columns={[
              { label: people.email, kind: "long", cell: ({ email }) => email },
              { label: people.role, cell: (person) => <RoleChoice person={person} /> },
              {
                label: people.lastSeen,
                kind: "when",
                cell: ({ lastSeenAt }) =>
                  lastSeenAt === null ? people.never : <RelativeTime at={lastSeenAt} />,
              },
              {
                label: people.actions,
                kind: "actions",
                cell: (person) => (
                  <Button size="compact-sm" variant="subtle" onClick={() => setLeaving(person)}>
                    {people.remove}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Paged>
      <p className="settings-says">{people.forgotten}</p>
      <InvitePerson opened={isInviting} onClose={() => setInviting(false)} />
      <RemovePerson person={leaving} onClose={() => setLeaving(null)} />
    </Section>
  );
}

function RoleChoice({ person }: { readonly person: User }) {
  const { people } = useTexts();
  const queries = useQueryClient();
  const roles = useRoleOptions();
  const changing = useMutation({
    mutationFn: (role: Role) =>
      ok(api.PATCH("/api/v1/users/{id}", { params: { path: { id: person.id } }, body: { role } })),
    onError: sayRefusal,
    onSettled: () => queries.invalidateQueries({ queryKey: ["users"] }),
  });
  return (
    <Select
      size="xs"
      aria-label={`${people.role}: ${person.email}`}
      data={roles}
      value={person.role}
      allowDeselect={false}
      onChange={(role) => role !== null && changing.mutate(role)}
    />
  );
}
