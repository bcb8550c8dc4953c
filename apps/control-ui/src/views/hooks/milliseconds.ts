import { duration } from "../../text/format.js";
import { text } from "./messages.js";

/**
 * Returns the duration of a handler, whose usual unit is less than a millisecond.
 * @param ms - milliseconds; 0 when no call was timed
 */
export function milliseconds(ms: number): string {
  if (ms === 0) return "–";
  return ms < 10 ? text.ms(ms.toFixed(ms < 1 ? 2 : 1)) : duration(ms);
}
