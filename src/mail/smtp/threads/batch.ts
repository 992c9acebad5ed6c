/** Collects the messages of one turn of the event loop, and passes them on as one JSON text. */
export function inBatches(pass: (batch: string) => void): (item: object) => void {
  let collected: object[] = [];
  const passOn = (): void => {
    const batch = collected;
    collected = [];
    pass(JSON.stringify(batch));
  };
  return (item) => {
    if (collected.push(item) === 1) setImmediate(passOn);
  };
}
