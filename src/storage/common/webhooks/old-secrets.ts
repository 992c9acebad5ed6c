import { afterRotation, type OldSecret } from "#webhooks/old-secrets.ts";

/**
 * The columns of a webhook's old secrets. `old_secret` begins with the newest, which signs until
 * `old_secret_until`. Older ones follow as ` SECRET@UNTIL`; neither character is in a secret.
 */
export type OldSecretColumns = {
  readonly oldSecret: string | null;
  readonly oldSecretUntil: number | null;
};

/** Newest first. */
export function oldSecretsOf({ oldSecret, oldSecretUntil }: OldSecretColumns): OldSecret[] {
  if (oldSecret === null) return [];
  return oldSecret.split(" ").map((entry) => {
    const [secret = "", until = oldSecretUntil] = entry.split("@");
    return { secret, until: Number(until) };
  });
}

/** What the columns hold after the webhook's secret was replaced. */
export function rotatedColumns(
  row: OldSecretColumns & { readonly secret: string },
  now: number,
): readonly [oldSecret: string, oldSecretUntil: number] {
  const [newest, ...older] = afterRotation(row.secret, oldSecretsOf(row), now);
  return [[newest.secret, ...older.map(({ secret, until }) => `${secret}@${until}`)].join(" "), newest.until];
}
