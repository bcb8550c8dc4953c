import { parseExactJson } from "@openclaw/foundation";
import { viewerOf } from "@openclaw/jobs";
import type { RoutineCommands, RoutineMessage } from "@openclaw/messaging";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import { isRecord } from "@openclaw/plugin-sdk/kit";
import { scheduleOf, shownDefinition } from "./definition.js";
import { RoutineRefusedError } from "./errors.js";
import { answerHeartbeat } from "./heartbeat/command.js";
import type { RoutineChangeRequest } from "./request.js";
import type { Routines } from "./routines.js";
import { callText } from "./runs/tool-call.js";
import { scheduleRequest } from "./schedules/tool-schedule.js";
import { shownTime } from "./schedules/words.js";
import { type RoutineState, routineDetails, wordsOf, zoneOf } from "./view.js";
import { explanation, runText } from "./why.js";

const RUNS = 10;
const EXPLAINED = 50;
const HELP = `/cron add <name> <when>: <task>, for example
  /cron add stretch at in 20 minutes: remind me to stretch
  /cron add inbox cron 0 8 * * 1-5 tz Europe/Berlin: tell me what is in my inbox folder
  /cron add coffee every weekday at 9:00: remind me of coffee
  /cron add build every 10m: check the build, and only speak up when it is broken
  /cron add invoices file drop: file what is new, or: message invoice channel telegram, or: webhook
  /cron add check every 1h: /tool exec {"command": "make test"}, or: /workflow report.lobster
/cron edit <name> <when>[: <task>], /cron list, show, next, runs, why, run, enable, disable, rm <name>`;

/** Commands about routines in conversations, `/cron`. */
export class RoutineConversation implements RoutineCommands {
  readonly #routines: () => Routines;

  /** @param routines - returns the routines of the host */
  constructor(routines: () => Routines) {
    this.#routines = routines;
  }

  async answer(text: string, message: RoutineMessage): Promise<string> {
    try {
      return await this.#answer(text.trim(), message);
    } catch (error) {
      if (OpenClawError.isInstance(error) && error.kind !== "internal") return `${error.message}.`;
      throw error;
    }
  }

  async heartbeat(message: RoutineMessage): Promise<string> {
    return await answerHeartbeat(this.#routines(), message);
  }

  async #answer(text: string, message: RoutineMessage): Promise<string> {
    const [, verb = "list", rest = ""] = /^(\S+)\s*(.*)$/s.exec(text) ?? [];
    const [, name = "", more = ""] = /^(\S*)\s*(.*)$/s.exec(rest) ?? [];
    const viewer = viewerOf(message.admitted);
    const routines = this.#routines();
    switch (verb.toLowerCase()) {
      case "list":
        return listText(await routines.list(viewer));
      case "add":
        return await this.#add(name, more, message);
      case "edit":
        return changedText(await routines.update(name, viewer, readChanges(more)), "changed");
      case "enable":
      case "disable": {
        const enabled = verb.toLowerCase() === "enable";
        const state = await routines.update(name, viewer, { enabled });
        return changedText(state, enabled ? "enabled" : "disabled");
      }
      case "run": {
        const { state } = await routines.run(name, viewer);
        return `Routine "${state.routine.name}" runs now.`;
      }
      case "rm":
      case "remove":
      case "delete":
        return `Routine "${(await routines.remove(name, viewer)).routine.name}" is removed.`;
      case "show":
        return showText(await routines.get(name, viewer));
      case "next":
        return changedText(await routines.get(name, viewer), undefined);
      case "runs": {
        const { state, runs } = await routines.runs(name, viewer, RUNS);
        const lines = runs.map((run) => runText(run, zoneOf(state.routine)));
        return lines.length === 0 ? "It has not been due yet." : lines.join("\n");
      }
      case "why": {
        const { state, runs } = await routines.runs(name, viewer, EXPLAINED);
        return explanation(state, runs).join("\n");
      }
      default:
        return HELP;
    }
  }

  async #add(name: string, text: string, { admitted, route }: RoutineMessage): Promise<string> {
    const changes = readChanges(text);
    const action = changes.prompt ?? changes.tool ?? changes.workflow;
    if (name === "" || action === undefined || action === "") {
      return `Nothing was stored.\n${HELP}`;
    }
    const { sessionKey: askedIn, agentId } = route;
    const request = { ...changes, name, agentId, askedIn, creator: admitted };
    const state = await this.#routines().add(request);
    return `${changedText(state, "stored")}\n/cron run ${name} runs it once now.`;
  }
}

/** Reads `<when>: <task>`; the colon is followed by white space, unlike that of a time. */
function readChanges(text: string): RoutineChangeRequest {
  const [, when = "", prompt] = /^(.*?)(?::\s+(.*))?$/s.exec(text) ?? [];
  const [, kind = "", value = ""] = /^(\S+)\s*(.*)$/s.exec(when.trim()) ?? [];
  const [, time = "", tz] = /^(.*?)(?:\s+tz\s+(\S+))?$/s.exec(value.trim()) ?? [];
  const task = prompt === undefined ? {} : readTask(prompt);
  switch (kind.toLowerCase()) {
    case "":
      return task;
    case "manual":
      return { ...task, manual: true };
    case "webhook":
      return { ...task, webhook: true };
    case "message": {
      const [, pattern, onChannel] = /^(.*?)(?:\s+channel\s+(\S+))?$/s.exec(value.trim()) ?? [];
      return { ...task, onMessage: pattern, onChannel };
    }
    case "file":
      return { ...task, onFile: value.trim() };
    case "every":
      return { ...task, every: time, tz };
    case "cron":
      return { ...task, cron: time, tz };
    case "at":
      return { ...task, at: time, tz };
    default: {
      // `@daily`, an expression, `weekdays at 9`, or a moment such as `tomorrow 9:00`.
      const [, whole = "", zone] = /^(.*?)(?:\s+tz\s+(\S+))?$/s.exec(when.trim()) ?? [];
      return { ...task, ...scheduleRequest(whole), tz: zone };
    }
  }
}

/** Reads a task: words for the agent, or `/tool <name> <JSON>`, or `/workflow <file> <JSON>`. */
function readTask(text: string): RoutineChangeRequest {
  const [, kind, name = "", json = ""] = /^\/(tool|workflow)\s+(\S+)\s*(.*)$/s.exec(text) ?? [];
  if (kind === undefined) return { prompt: text };
  const params = json.trim() === "" ? {} : { params: readParams(json) };
  return kind === "tool" ? { tool: name, ...params } : { workflow: name, ...params };
}

function readParams(json: string): Record<string, unknown> {
  try {
    const value: unknown = parseExactJson(json);
    if (isRecord(value)) return value;
  } catch {
    // Answered below.
  }
  throw new RoutineRefusedError(
    'params: they are not a JSON object; write them such as {"command": "make test"}',
  );
}

function listText(states: readonly RoutineState[]): string {
  if (states.length === 0) return `There are no routines.\n${HELP}`;
  return states.map((state) => `${state.routine.name}: ${lineText(state)}`).join("\n");
}

function lineText({ routine, nextAt, lastRun }: RoutineState): string {
  const { enabled, disabledReason } = routine;
  const last = lastRun === undefined ? "" : `, last run ${lastRun.state}`;
  if (!enabled) {
    const why = disabledReason === undefined ? "" : ` (${disabledReason})`;
    return `${wordsOf(routine)}, disabled${why}${last}`;
  }
  if (scheduleOf(shownDefinition(routine)) === undefined) return `${wordsOf(routine)}${last}`;
  const next = nextAt === undefined ? "never" : shownTime(nextAt, zoneOf(routine)).local;
  return `${wordsOf(routine)}, next ${next}${last}`;
}

function showText(state: RoutineState): string {
  const { prompt, call } = routineDetails(state);
  return `${changedText(state, undefined)}\nTask: ${call === undefined ? prompt : callText(call)}`;
}

function changedText(state: RoutineState, change: string | undefined): string {
  const { routine } = state;
  const { next } = routineDetails(state);
  const head = `Routine "${routine.name}"${change === undefined ? "" : ` is ${change}`}`;
  const times = next.map(({ local, utc }) => `  ${local}   ${utc}`);
  return [`${head}: ${lineText(state)}`, ...times, ...webhookLines(state)].join("\n");
}

/** Leaves out the secret, which is shown at the command line only, because conversations are stored and sent to others. */
function webhookLines(state: RoutineState): readonly string[] {
  const { webhook, routineId } = routineDetails(state);
  if (webhook === undefined) return [];
  return [
    `  POST ${webhook} of the gateway starts it, with its secret.`,
    `  \`openclaw cron edit ${routineId} --webhook\` makes a new secret and prints it.`,
  ];
}
