const EMPTY = 'I do not remember anything yet. Write "remember that …", and I keep it.';

/**
 * Returns the result of a tool of memory or of a reminder in plain words (LLM-460).
 * @param text - text of its result or of its error
 * @returns undefined for another tool, and for a result in another form
 */
export function plainResult(toolName: string, text: string): string | undefined {
  if (toolName === "memory_read" && text.includes("not found")) return EMPTY;
  if (text === "[The folder is empty.]") return "The folder is empty.";
  const value = json(text);
  if (Array.isArray(value)) return plainList(toolName, value);
  const result = isObject(value) ? value : undefined;
  switch (toolName) {
    case "memory_write":
      return typeof result?.path === "string" ? `I stored it in ${result.path}.` : undefined;
    case "memory_read":
      return typeof result?.content === "string"
        ? `I remember:\n\n${withoutOrigin(result.content)}`
        : undefined;
    case "memory_search":
      return Array.isArray(result?.hits) ? foundIn(result.hits) : undefined;
    case "routine_create":
      return typeof result?.schedule === "string"
        ? scheduled(result.schedule, result.next)
        : undefined;
    case "time":
      return result?.weekday === undefined ? undefined : timeText(result);
    case "routine_delete":
      return typeof result?.name === "string" ? `I removed ${result.name}.` : undefined;
    case "create_job":
      return typeof result?.title === "string"
        ? `I work on it in the background: ${result.title}. The result comes here; /jobs shows the jobs.`
        : undefined;
    default:
      return undefined;
  }
}

/** Returns the lines of a list of routines or jobs. */
function plainList(toolName: string, items: readonly unknown[]): string | undefined {
  const list = LISTS[toolName];
  if (list === undefined) return undefined;
  const lines = items.flatMap((item) =>
    isObject(item) ? [`- ${String(item[list.name])}: ${String(item[list.state])}`] : [],
  );
  return lines.length === 0 ? list.none : lines.join("\n");
}

const LISTS: Readonly<Record<string, { name: string; state: string; none: string }>> = {
  routine_list: {
    ...{ name: "name", state: "schedule" },
    none: 'There are no reminders and no routines. Write, for example, "remind me in 20 minutes to call mum".',
  },
  list_jobs: {
    ...{ name: "title", state: "state" },
    none: 'There are no jobs. Write, for example, "create a job that counts the files".',
  },
};

/** Leaves out where the memory has a text from, which is a note for models. */
function withoutOrigin(text: string): string {
  return text.replace(/ \[origin: [^\]]*\]/g, "").trim();
}

/** Names the first due time; the running gateway, or the next one, runs what is due. */
function scheduled(schedule: string, next: unknown): string {
  const [first]: unknown[] = Array.isArray(next) ? next : [];
  const time =
    isObject(first) && !schedule.startsWith("Once") ? `, next ${String(first.local)}` : "";
  return `I stored it: ${schedule}${time}. It runs while OpenClaw runs; /cron list shows it.`;
}

function timeText({ iso, weekday, timezone }: Readonly<Record<string, unknown>>): string {
  const [date, time = ""] = String(iso).split("T");
  return `It is ${time.slice(0, 5)} on ${String(weekday)}, ${date} (${String(timezone)}).`;
}

function foundIn(hits: readonly unknown[]): string {
  const texts = hits.flatMap((hit) =>
    typeof hit === "object" && hit !== null && "text" in hit && typeof hit.text === "string"
      ? [`- ${withoutOrigin(hit.text)}`]
      : [],
  );
  return texts.length === 0
    ? "I do not remember anything about that."
    : `I remember:\n\n${texts.join("\n")}`;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
