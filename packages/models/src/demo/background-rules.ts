import { clockOf, routineCall } from "./reminder.js";
import { call, type DemoIntent, type Groups, type Rule, request } from "./rule.js";

const CLOCK = "\\d{1,2}(?:[:.]\\d{2})?(?: ?(?:am|pm))?(?: o'clock)?|noon|midnight";
const DAYS: Readonly<Record<string, string>> = {
  ...{ sunday: "0", monday: "1", tuesday: "2", wednesday: "3", thursday: "4", friday: "5" },
  ...{ saturday: "6", weekday: "1-5", workday: "1-5", "working day": "1-5", weekend: "0,6" },
  ...{ day: "*", morning: "*", evening: "*", night: "*", noon: "*" },
};
/** Hours of parts of the day without a time. */
const HOURS: Readonly<Record<string, number>> = { evening: 18, night: 22, noon: 12 };
const MORNING = { hour: 8, minute: 0 };
const UNIT = "second|sec|minute|min|hour|day|week";
const DAY = `(?:${Object.keys(DAYS).join("|")})s?`;
const EVERY =
  `(?:(?:every|each) (?<day>${DAY})(?: morning| evening| night)?|on (?<days>${DAY}s)|(?<daily>daily)|(?<hourly>hourly)|` +
  `every (?<count>\\d+ |other )?(?<unit>${UNIT})s?)(?:,? (?:at|by|around) (?<clock>${CLOCK}))?`;
/** First words of work; a statement such as "I run every day" has none. */
const WORK =
  "(?:tell|show|give|send|ask|check|run|execute|read|list|search|look|find|write|fetch|open|summari[sz]e|count|look|test|build|review)\\b";
const LISTED = "(?:show|list|what|which)(?: me)?(?: are)?(?: all)?(?: of)?(?: the| my| your)?";
const KEPT = "(?: (?:do (?:i|we|you) have|are there|exist|are (?:planned|running|set|scheduled)))?";

/** Requests for work that repeats or that runs in the background, and for lists of both. */
export const BACKGROUND_RULES: readonly Rule[] = [
  {
    pattern: request(`(?<remind>remind me )?${EVERY},?(?: please)?(?: to)? (?<task>[^]+)`),
    intent: repeated,
  },
  {
    pattern: request(
      `(?:(?:schedule|(?:create|make|add|set up)(?: me)? (?:an? )?(?:routine|schedule)(?: (?:to|for))?):? (?<task>[^]+?)|(?<work>(?:remind me|${WORK})[^]*?)),? ${EVERY}`,
    ),
    intent: repeated,
  },
  {
    pattern: request(`${LISTED} (?:current |open |next )?(?:reminders|routines|schedules)${KEPT}`),
    intent: () => call("routine_list", {}),
  },
  {
    pattern: request(`${LISTED} (?:current |open |running )?(?:background )?jobs${KEPT}`),
    intent: () => call("list_jobs", {}),
  },
  {
    pattern: request(
      "(?:cancel|delete|remove|stop)(?: the| my)? (?:reminder|routine)(?: (?:called|named))? [`\"']?(?<name>[a-z0-9_-]+)[`\"']?",
    ),
    intent: ({ name = "" }) => call("routine_delete", { name: name.toLowerCase() }),
  },
  {
    pattern: request(
      "(?:create|start|make|run|add)(?: me)? (?:an? )?(?:new )?(?:background )?job(?:(?: that| which)? (?<does>[a-z]+)s(?= )| to|:| for| called| named)? ?(?<task>[^]*)",
    ),
    intent: ({ does, task = "" }) => job([does ?? "", task].join(" ")),
  },
  {
    pattern: request("(?:in the background,? (?<task>[^]+)|(?<first>[^]+?) in the background)"),
    intent: ({ task, first }) => job(task ?? first ?? ""),
  },
  {
    pattern: request(
      "(?:count(?: all)?(?: the| my)? files|how many files(?: are| do (?:i|we) have)?(?: there)?)(?: (?:here|in (?:this|the|my) (?:folder|directory|project|workspace)))?",
    ),
    intent: () => call("exec", { command: "ls | wc -l" }),
  },
];

function repeated(groups: Groups): DemoIntent {
  const {
    task,
    work = "",
    remind,
    day,
    days = "",
    daily,
    hourly,
    count,
    unit = "",
    clock,
  } = groups;
  const wanted = (task ?? work).trim();
  const said = wanted.replace(/^remind me(?: to| of| about| that)?\s+/i, "");
  const prompt = remind !== undefined || said !== wanted ? `Reminder: ${said}` : said;
  if (hourly !== undefined) return routineCall("every 1 hour", prompt);
  const name = daily === undefined ? (day ?? days) : "day";
  const schedule = expression(name.toLowerCase(), clock?.toLowerCase());
  if (schedule !== undefined) return routineCall(schedule, prompt);
  const number = count?.trim().replace("other", "2") ?? "1";
  return routineCall(`every ${number} ${unit.toLowerCase()}${number === "1" ? "" : "s"}`, prompt);
}

/** Returns a cron expression; undefined for an interval. */
function expression(day: string, clock: string | undefined): string | undefined {
  const name = Object.hasOwn(DAYS, day) ? day : day.replace(/s$/, "");
  const days = DAYS[name];
  if (days === undefined) return undefined;
  const { hour, minute } =
    clock === undefined ? { ...MORNING, hour: HOURS[name] ?? MORNING.hour } : clockOf(clock);
  return `${minute} ${hour} * * ${days}`;
}

function job(task: string): DemoIntent {
  const said = task.trim().replace(/^(?:please )?(?:to )?/i, "");
  if (said === "") {
    return {
      kind: "advice",
      text: 'Which work? Write it, for example "create a job that counts the files".',
    };
  }
  return call("create_job", { title: said.slice(0, 200), description: said });
}
