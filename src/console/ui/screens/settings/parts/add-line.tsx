import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";

type Props = {
  readonly label: string;
  readonly action: string;
  readonly type?: "email" | "text";
  readonly placeholder?: string;
  add(text: string): Promise<unknown>;
};

/** One field and one button that add something to a list. A refused text stays in the field. */
export function AddLine({ label, action, type = "text", placeholder = "", add }: Props) {
  const [typed, setTyped] = useState("");
  const adding = useMutation({ mutationFn: add, onSuccess: () => setTyped("") });
  return (
    <form
      className="add-line"
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate(typed.trim());
      }}
    >
      <TextInput
        label={label}
        type={type}
        required
        withAsterisk={false}
        placeholder={placeholder}
        value={typed}
        error={adding.error?.message}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={adding.isPending}>
        {action}
      </Button>
    </form>
  );
}
