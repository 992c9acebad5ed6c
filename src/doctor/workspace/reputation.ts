import { ratesInWords, tooMuch, type Rates } from "#stats/rates.ts";
import { about, ok, warn, type Finding } from "#doctor/finding.ts";

/** How a workspace's mail was received in the last days. Empty if no message was sent. */
export function checkReputation(rates: Rates): Finding[] {
  if (rates.messages === 0) return [];
  const check = about("reputation", "bounces and complaints");
  const trouble = tooMuch(rates);
  if (trouble === null) return [ok(check, ratesInWords(rates))];
  const advice = "mail only people who asked for it; providers take less and less of such mail";
  return [warn(check, trouble, advice)];
}
