import type { HookCall, Observation } from "./observation.js";

/**
 * Compares what two hosts did with a bundle: each hook call with its input, its answer and what the model was told, then
 * results of tools, files and the reply.
 * @param scenario - name of the scenario
 * @param there - in Claude Code
 * @param here - in OpenClaw
 * @returns a sentence for each difference, the same one for the same field of an event
 */
export function differences(
  scenario: string,
  there: Observation,
  here: Observation,
  texts: readonly string[] = [],
): readonly string[] {
  const found: string[] = [];
  const names = new Set([...there.calls, ...here.calls].map(({ name }) => name));
  for (const name of names) {
    const others = there.calls.filter((call) => call.name === name);
    const ours = here.calls.filter((call) => call.name === name);
    if (others.length !== ours.length) {
      found.push(`${scenario}: ${name} runs ${others.length} times there, ${ours.length} here`);
      continue;
    }
    for (const [index, other] of others.entries()) {
      const our = ours[index];
      if (our === undefined) continue;
      found.push(...compare(subject(other), facts(other, there), facts(our, here)));
    }
  }
  const order = ({ calls }: Observation) => calls.map(({ name }) => name).join(" ");
  const [orderThere, orderHere] = [order(there), order(here)];
  if (sorted(orderThere) === sorted(orderHere) && orderThere !== orderHere) {
    found.push(`${scenario}: the order of calls differs`);
  }
  return [...found, ...compare(scenario, outcome(there, texts), outcome(here, texts))];
}

function sorted(words: string): string {
  return words.split(" ").sort().join(" ");
}

function subject({ name, input }: HookCall): string {
  const event = name.replace(/-\d+$/, "");
  return typeof input.tool_name === "string" ? `${event}(${input.tool_name})` : event;
}

/** Input, answer and effect of a hook call, without what differs in every run. */
function facts({ input, cwd, code, stdout, stderr, variables }: HookCall, seen: Observation) {
  const told = tellings({ input, code, stdout, stderr });
  return {
    input: { ...input, ...idsOf(input) },
    ...{ cwd, variables, answer: { code, stdout: plain(stdout), stderr: plain(stderr) } },
    told: told.map((text) => seen.conversation.includes(text) || seen.reply.includes(text)),
  };
}

const IDS = ["session_id", "prompt_id", "agent_id"];

function idsOf(input: HookCall["input"]) {
  const found = IDS.filter((name) => Object.hasOwn(input, name));
  return Object.fromEntries(found.map((name) => [name, input[name] === "" ? "" : "<id>"]));
}

/** Without the pictures that a bundle chooses by chance. */
function plain(text: string): string {
  return text.replaceAll(/\p{Extended_Pictographic}/gu, "<picture>");
}

/** Returns the strings of an answer that are for the model or the user. */
function tellings({
  input,
  code,
  stdout,
  stderr,
}: Pick<HookCall, "input" | "code" | "stdout" | "stderr">): readonly string[] {
  if (code === 2) return [stderr.trim()];
  if (code !== 0 || stdout.trim() === "") return [];
  const isContext = ["UserPromptSubmit", "SessionStart"].includes(String(input.hook_event_name));
  if (!stdout.trim().startsWith("{")) return isContext ? [stdout.trim()] : [];
  try {
    const { reason, stopReason, hookSpecificOutput = {} } = JSON.parse(stdout);
    const { additionalContext, permissionDecisionReason } = hookSpecificOutput;
    const texts: unknown[] = [reason, stopReason, additionalContext, permissionDecisionReason];
    return texts.filter((text): text is string => typeof text === "string" && text !== "");
  } catch {
    return [];
  }
}

function outcome(
  { results, files, reply, requests, conversation }: Observation,
  texts: readonly string[],
) {
  // Texts of results differ with the host, so that only success is compared.
  const failed = Object.entries(results).map(([id, { isError }]) => [id, isError]);
  const told = texts.map((text) => [text, conversation.includes(text)]);
  return {
    ...{ failed: Object.fromEntries(failed), files, reply, requests },
    told: Object.fromEntries(told),
  };
}

function compare(at: string, there: unknown, here: unknown): readonly string[] {
  if (isObject(there) && isObject(here)) {
    const keys = new Set([...Object.keys(there), ...Object.keys(here)]);
    return [...keys].flatMap((key) => {
      const path = `${at} ${key}`;
      if (!Object.hasOwn(here, key)) return [`${path}: only there`];
      if (!Object.hasOwn(there, key)) return [`${path}: only here`];
      return compare(path, there[key], here[key]);
    });
  }
  return JSON.stringify(there) === JSON.stringify(here) ? [] : [`${at}: differs`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
