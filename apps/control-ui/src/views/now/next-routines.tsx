import { now } from "../../state/clock.js";
import { type ListedRoutine, routines } from "../../state/routines.js";
import { shortTime, timeLeft } from "../../text/format.js";
import { text } from "./messages.js";

/** Routines that are shown. */
const SHOWN = 5;

/** Routines that run next, with their times. */
export function NextRoutines() {
  const next = routines.value
    .filter((routine): routine is ListedRoutine & { nextAt: number } => {
      return routine.enabled && routine.nextAt !== undefined;
    })
    .toSorted((one, other) => one.nextAt - other.nextAt)
    .slice(0, SHOWN);
  if (next.length === 0) return null;
  return (
    <section class="sec" aria-labelledby="now-next">
      <h2 id="now-next">{text.nextRoutines}</h2>
      <ul class="next">
        {next.map(({ routineId, name, schedule, nextAt }) => (
          <li key={routineId} title={schedule}>
            <time class="num" title={new Date(nextAt).toISOString()}>
              {shortTime(nextAt)}
            </time>
            <span class="clip">{name}</span>
            <span class="dim">
              {nextAt <= now.value ? text.due : text.nextIn(timeLeft(nextAt - now.value))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
