import { useState } from "react";

/**
 * What stands in a field whose value is read from it with each key: what was typed, as long as that is the
 * value, and else the value as it is written. So the text of a number is not put in order under the hand that
 * writes it.
 */
export function useTypedText<Value>(value: Value, written: (value: Value) => string) {
  const [typed, setTyped] = useState({ value, text: written(value) });
  return {
    text: typed.value === value ? typed.text : written(value),
    type: (text: string, readAs: Value): void => setTyped({ value: readAs, text }),
  };
}
