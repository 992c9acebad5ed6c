import { Radio } from "@mantine/core";
import type { Beginning } from "../letter/first-letter.ts";
import { useTexts } from "../texts/texts.tsx";

type Props<B extends Beginning> = {
  readonly offered: readonly B[];
  readonly value: B;
  readonly onChange: (value: B) => void;
};

/** Asks how a new letter is to begin. */
export function Beginnings<B extends Beginning>({ offered, value, onChange }: Props<B>) {
  const { campaigns } = useTexts();
  const says = {
    blocks: campaigns.blocksSays,
    source: campaigns.sourceSays,
    template: campaigns.templateSays,
  };
  return (
    <Radio.Group
      label={campaigns.begin}
      value={value}
      onChange={(next) => onChange(offered.find((one) => one === next) ?? value)}
    >
      <div className="new-letter-ways">
        {offered.map((one) => (
          <Radio.Card key={one} value={one} className="new-letter-way" aria-label={campaigns[one]}>
            <Radio.Indicator />
            <div>
              <p className="new-letter-name">{campaigns[one]}</p>
              <p className="new-letter-says">{says[one]}</p>
            </div>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
