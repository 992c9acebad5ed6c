import { useFormat } from "../frame/format.ts";

type Props = {
  readonly name: string;
  /** How much of the file is read, from 0 to 1; null where nobody knows. */
  readonly share: number | null;
};

/** How far an import is. */
export function ImportBar({ name, share }: Props) {
  const format = useFormat();
  if (share === null) return <div className="import-bar" role="progressbar" aria-label={name} data-endless />;
  return (
    <div className="import-progress">
      <div
        className="import-bar"
        role="progressbar"
        aria-label={name}
        aria-valuenow={Math.floor(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div style={{ width: `${share * 100}%` }} />
      </div>
      <span className="count">{format.share(Math.floor(share * 100) / 100)}</span>
    </div>
  );
}
