import { Button, Modal, NumberInput, PasswordInput, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { useSettings } from "../../../api/settings.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { DialogForm } from "../../../parts/saving/dialog-form.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { useSaving } from "../parts/use-saving.ts";
import {
  isSameLogin,
  readRelay,
  relayAddress,
  SECURITIES,
  withSecurity,
  type RelayParts,
} from "./relay-parts.ts";

/** Opens a form with what a provider tells of its relay: server, port, user and password. Not for several relays. */
export function RelayByParts() {
  const { settings } = useTexts();
  const { may } = useSession();
  const { data } = useSettings();
  const [isOpen, setIsOpen] = useState(false);
  const stored = data === undefined ? null : readRelay(data.smtpUrl);
  if (!may("owner") || stored === null) return null;
  const close = (): void => setIsOpen(false);
  return (
    <div>
      <Button variant="default" size="compact-sm" onClick={() => setIsOpen(true)}>
        {settings.relay.open}
      </Button>
      <Modal opened={isOpen} onClose={close} title={settings.relay.title}>
        <RelayForm stored={stored} onClose={close} />
      </Modal>
    </div>
  );
}

function RelayForm({ stored, onClose }: { readonly stored: RelayParts; readonly onClose: () => void }) {
  const { settings } = useTexts();
  const texts = settings.relay;
  // What was typed into the field of the address may be stored only now.
  const [typed, setParts] = useState<RelayParts | null>(null);
  const parts = typed ?? stored;
  const saving = useSaving();
  const isKept = stored.hasPassword && isSameLogin(parts, stored);
  /** Where it is refused, the form shows why. */
  const save = (): void =>
    void saving
      .save({ smtpUrl: relayAddress({ ...parts, hasPassword: isKept }) })
      .then(onClose, () => undefined);
  return (
    <DialogForm action={texts.save} isBusy={saving.isSaving} onSubmit={save} onClose={onClose}>
      <Server parts={parts} error={saving.error} onChange={setParts} />
      <Login parts={parts} isKept={isKept} onChange={setParts} />
    </DialogForm>
  );
}

type PartProps = { readonly parts: RelayParts; readonly onChange: (parts: RelayParts) => void };

function Server({ parts, error, onChange }: PartProps & { readonly error: string | null }) {
  const { relay: texts } = useTexts().settings;
  return (
    <>
      <TextInput
        data-autofocus
        required
        withAsterisk={false}
        label={texts.host}
        placeholder="smtp.example.com"
        pattern="\s*[A-Za-z0-9_.:\-]+\s*"
        title={texts.hostSays}
        spellCheck={false}
        value={parts.host}
        error={error}
        onChange={(event) => onChange({ ...parts, host: event.currentTarget.value })}
      />
      <Select
        label={texts.security}
        allowDeselect={false}
        value={parts.security}
        data={SECURITIES.map((value) => ({ value, label: texts.securities[value] }))}
        onChange={(value) => value !== null && onChange(withSecurity(parts, value))}
      />
      <NumberInput
        label={texts.port}
        required
        withAsterisk={false}
        min={1}
        max={65_535}
        allowDecimal={false}
        hideControls
        value={parts.port}
        onChange={(port) => onChange({ ...parts, port: String(port) })}
      />
    </>
  );
}

/** `isKept`: the stored password still counts. */
function Login({ parts, isKept, onChange }: PartProps & { readonly isKept: boolean }) {
  const { relay: texts } = useTexts().settings;
  return (
    <>
      <TextInput
        label={texts.user}
        description={texts.userSays}
        autoComplete="off"
        spellCheck={false}
        value={parts.user}
        onChange={(event) => onChange({ ...parts, user: event.currentTarget.value })}
      />
      <PasswordInput
        label={texts.password}
        description={isKept ? texts.passwordKept : undefined}
        required={parts.user.trim() !== "" && !isKept}
        withAsterisk={false}
        autoComplete="new-password"
        value={parts.password}
        onChange={(event) => onChange({ ...parts, password: event.currentTarget.value })}
      />
    </>
  );
}
