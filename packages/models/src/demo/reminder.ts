import { call, type DemoIntent, type Rule, request } from "./rule.js";
import type { DemoResult, DemoStep } from "./step.js";

const CLOCK = "\\d{1,2}(?::\\d{2})?(?: ?(?:am|pm))?(?: o'clock)?";
const DAY = "today|tomorrow|(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const LENGTH =
  "(?:an?|half an|one|two|three|five|ten|\\d+) (?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?)";
const WHEN = `(?:in ${LENGTH}|(?:on |this )?(?:${DAY})(?: (?:morning|at noon))?(?: (?:at )?${CLOCK})?|(?:at|by|around) (?:${CLOCK}|noon)(?: (?:on )?(?:${DAY}))?)`;
const VERB = "(?:remind me|wake me(?: up)?|set (?:a |an |the |me a )?(?:reminder|alarm))";
/** Hour for a day without a time. */
const MORNING = "9:00";
const NUMBERS: Readonly<Record<string, string>> = {
  ...{ a: "1", an: "1", one: "1", two: "2", three: "3", five: "5", ten: "10" },
};
const LONGEST_NAME = 57;

const HOW =
  "When? I understand a length or a time, for example " +
  '"remind me in 20 minutes to call mum" or "remind me tomorrow at 9:00 to call mum".';

/** Requests for reminders, which become routines that run once, and the reminder itself when it is due. */
export const REMINDER_RULES: readonly Rule[] = [
  {
    pattern: request(
      `${VERB}(?: for)? (?<when>${WHEN})(?:,?(?: to| that| about| of)? (?<what>[^]+))?`,
    ),
    intent: ({ when = "", what }) => reminder(when, what),
  },
  {
    pattern: request(`${VERB}(?: to| that| about| of) (?<what>[^]+?),? (?<when>${WHEN})`),
    intent: ({ when = "", what }) => reminder(when, what),
  },
  {
    pattern: request(`set (?:a |an |the |me a )?timer (?:for|of) (?<length>${LENGTH})`),
    intent: ({ length = "" }) => reminder(`in ${length}`, "the timer is over"),
  },
  {
    pattern: request(`(?:${VERB}|set (?:a |an |the |me a )?timer)(?:\\b[^]*)?`),
    intent: () => ({ kind: "advice", text: HOW }),
  },
  {
    pattern: request("Reminder: (?<what>[^]+)"),
    verbatim: true,
    intent: ({ what = "" }) => ({ kind: "advice", text: `Reminder: ${what}` }),
  },
];

function reminder(when: string, what = "it is time"): DemoIntent {
  return routineCall(scheduleOf(when.toLowerCase()), `Reminder: ${what}`);
}

/**
 * Returns the call that stores a routine, which is named after its task. A reminder needs one reply without tools.
 * @param schedule - cron expression, interval or moment
 * @param prompt - task of each run
 */
export function routineCall(schedule: string, prompt: string): DemoIntent {
  const slug = prompt
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, LONGEST_NAME)
    .replace(/-$/, "");
  return call("routine_create", {
    name: slug === "" ? "routine" : slug,
    trigger_type: "cron",
    ...{ schedule, prompt },
    action_type: prompt.startsWith("Reminder: ") ? "lightweight" : "message",
  });
}

/** Numbers that the name of a routine gets when it is taken. */
const MOST_NUMBERS = 9;

/**
 * Returns the call of a routine under another name, after the one with its own name failed because a routine has it.
 * @param intent - intent of the request
 * @param results - results of tools since the request, oldest first
 * @returns undefined for another intent, another failure, and after nine names
 */
export function renamedRoutine(
  intent: DemoIntent | undefined,
  results: readonly DemoResult[],
): DemoStep | undefined {
  if (intent?.kind !== "call" || intent.toolName !== "routine_create") return undefined;
  const calls = results.filter(({ toolName }) => toolName === intent.toolName);
  const isTaken = /a routine "[^"]*" exists/.test(calls.at(-1)?.problem ?? "");
  if (!isTaken || calls.length >= MOST_NUMBERS) return undefined;
  const { toolName, params } = intent;
  const name = `${String(params.name)}-${calls.length + 1}`;
  return { kind: "call", toolName, params: { ...params, name } };
}

/**
 * Returns the reply to a task "remind me of the tea" of a routine that is due; undefined for another task.
 * @param task - task of the routine
 */
export function dueReminder(task: string): string | undefined {
  const [, what] = /^remind me(?: to| of| about| that)?\s+(.+)$/is.exec(task.trim()) ?? [];
  return what === undefined ? undefined : `Reminder: ${what}`;
}

/**
 * Returns hour and minute of a time such as "8", "8:30", "8 pm" or "noon".
 * @param clock - the time, in lower case
 */
export function clockOf(clock: string): { readonly hour: number; readonly minute: number } {
  if (clock === "noon") return { hour: 12, minute: 0 };
  if (clock === "midnight") return { hour: 0, minute: 0 };
  const [, hours = "0", minutes = "0", half] =
    /^(\d{1,2})(?:[:.](\d{2}))?(?: ?(am|pm))?/.exec(clock) ?? [];
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === "pm" ? 12 : 0);
  return { hour, minute: Number(minutes) };
}

/** Returns a moment in the form of the tool: "in 20 minutes", "tomorrow 9:00", "18:30". */
function scheduleOf(when: string): string {
  const plain = when.replace(/ o'clock/, "").replace(/\b(?:at )?noon/, "12:00");
  if (plain.startsWith("in ")) {
    if (/^in half an hour/.test(plain)) return "in 30 minutes";
    return plain.replace(/^in ([a-z]+) /, (all, word: string) =>
      NUMBERS[word] === undefined ? all : `in ${NUMBERS[word]} `,
    );
  }
  const [day] = new RegExp(`\\b(?:${DAY})\\b`).exec(plain) ?? [];
  const [clock = day === undefined ? "" : MORNING] = new RegExp(CLOCK).exec(plain) ?? [];
  return [day, clock.replace(" ", "")]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}
