/** HMACs under a secret that have already read a label, so that each use continues from a copy. */
export function labelledHasher(
  algorithm: "sha512" | "sha256",
  label: string,
): (secret: Uint8Array) => Bun.CryptoHasher {
  const begun = new WeakMap<Uint8Array, Bun.CryptoHasher>();
  return (secret) => {
    const known = begun.get(secret) ?? new Bun.CryptoHasher(algorithm, secret).update(label);
    begun.set(secret, known);
    return known.copy();
  };
}
