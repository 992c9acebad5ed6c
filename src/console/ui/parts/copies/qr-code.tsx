import { encodeQR } from "qr";

/** Squares of empty border on each side, which scanners need (ISO/IEC 18004). */
const BORDER = 4;

/** A text to scan with a phone. Dark on white in both looks: not every scanner reads the inverse. */
export default function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = encodeQR(text, "raw", { border: BORDER });
  const size = rows.length;
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={rows.map(pathOfRow).join("")} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

const pathOfRow = (row: readonly boolean[], y: number): string =>
  row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join("");
