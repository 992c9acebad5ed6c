import { useFormat } from "../frame/format.ts";

/** A number in the format of the person's language; all digits are equally wide, so that columns line up. */
export function Count({ value }: { readonly value: number }) {
  return <span className="count">{useFormat().number(value)}</span>;
}

/** Shown where there is no value yet. The card of a phone leaves it out, with its label. */
export const None = () => <span className="none">–</span>;

/** A part of a whole, as a percentage; a dash if the whole is 0. */
export function Share({ part, whole }: { readonly part: number; readonly whole: number }) {
  const { share } = useFormat();
  return whole === 0 ? <None /> : <span className="count">{share(part / whole)}</span>;
}

/** The progress of something long. The label says it in words too. */
export function Bar({
  part,
  whole,
  label,
}: {
  readonly part: number;
  readonly whole: number;
  readonly label: string;
}) {
  const percent = whole === 0 ? 0 : Math.min(100, (100 * part) / whole);
  return (
    <div
      className="bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
    >
      <div className="bar-part" style={{ width: `${percent}%` }} />
    </div>
  );
}
