import { call, type DemoIntent, type Rule, request } from "./rule.js";

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
const LONGEST_NAME = 48;

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
  const slug = what
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, LONGEST_NAME);
  return call("routine_create", {
    name: slug === "" ? "reminder" : `reminder-${slug}`,
    trigger_type: "cron",
    schedule: scheduleOf(when.toLowerCase()),
    prompt: `Reminder: ${what}`,
    action_type: "lightweight",
  });
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
