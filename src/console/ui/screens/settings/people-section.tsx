import { Button, Select, Table } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { User } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import type { Role } from "../../api/session.ts";
import { Paged } from "../../parts/paged.tsx";
import { RelativeTime } from "../../parts/relative-time.tsx";
import { sayRefusal } from "../../parts/undo.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { InvitePerson } from "./invite-person.tsx";
import { RemovePerson } from "./remove-person.tsx";
import { useRoleOptions } from "./role-options.ts";
import { Section } from "./section.tsx";

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
          <Table.ScrollContainer minWidth={520}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{people.email}</Table.Th>
                  <Table.Th>{people.role}</Table.Th>
                  <Table.Th>{people.lastSeen}</Table.Th>
                  <Table.Th ta="right">{people.actions}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((person) => (
                  <PersonRow key={person.id} person={person} remove={() => setLeaving(person)} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Paged>
      <InvitePerson opened={isInviting} onClose={() => setInviting(false)} />
      <RemovePerson person={leaving} onClose={() => setLeaving(null)} />
    </Section>
  );
}

function PersonRow({ person, remove }: { readonly person: User; readonly remove: () => void }) {
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
    <Table.Tr>
      <Table.Td className="settings-long">{person.email}</Table.Td>
      <Table.Td>
        <Select
          size="xs"
          aria-label={`${people.role}: ${person.email}`}
          data={roles}
          value={person.role}
          allowDeselect={false}
          onChange={(role) => role !== null && changing.mutate(role)}
        />
      </Table.Td>
      <Table.Td>
        {person.lastSeenAt === null ? people.never : <RelativeTime at={person.lastSeenAt} />}
      </Table.Td>
      <Table.Td ta="right">
        <Button size="compact-sm" variant="subtle" onClick={remove}>
          {people.remove}
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
