import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useTexts } from "../../texts/texts.tsx";

type Props = { readonly value: string; readonly onSearch: (email: string) => void };

/** A search for one whole address: the server looks for exactly this one. */
export function AddressSearch({ value, onSearch }: Props) {
  const { report } = useTexts();
  const [typed, setTyped] = useState(value);
  const isAddress = typed.trim() === "" || /^\S+@\S+\.\S+$/.test(typed.trim());
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isAddress) onSearch(typed.trim());
      }}
    >
      <TextInput
        data-search
        type="search"
        aria-label={report.searchAddress}
        placeholder={report.searchAddress}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        error={!isAddress && typed !== value && report.notAddress}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          if (currentTarget.value === "") onSearch("");
        }}
      />
    </form>
  );
}
