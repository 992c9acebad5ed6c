import { useFormat } from "../../../frame/format.ts";
import { useTexts } from "../../../texts/texts.tsx";

/** A moment as the server writes it into a sentence. */
const MOMENT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g;

/** What a check found or advises, in the person's language and with their own dates. */
export function useCheckWords(): (sentence: string) => string {
  const { fromServer } = useTexts();
  const { dateTime } = useFormat();
  return (sentence) => fromServer(sentence).replaceAll(MOMENT, (at) => dateTime(at));
}
