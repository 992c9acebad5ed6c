/** The mark of Postrider, beside its name. */
export function BrandMark({ size }: { readonly size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect width="32" height="32" rx="8" className="rail-brand-ground" />
      <path d="M6 10h20v13H6zM6 11l10 7 10-7" className="rail-brand-letter" />
    </svg>
  );
}
