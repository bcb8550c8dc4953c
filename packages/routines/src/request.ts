import { randomUUID } from "node:crypto";
import { defined } from "@openclaw/foundation";
import type { JobCreator } from "@openclaw/jobs";
import { readContextPaths } from "./context.js";
import type { RoutineDefinition } from "./definition.js";
import { RoutineRefusedError } from "./errors.js";
import { HEARTBEAT } from "./heartbeat/definition.js";
import { type QuietHours, readQuietHours } from "./quiet-hours.js";
import { readToolAction, type ToolActionRequest } from "./runs/tool-call.js";
import { readSchedule, type WrittenSchedule } from "./schedules/reader.js";
import { readPattern, readWatchedPath, type WrittenTrigger } from "./triggers/trigger.js";

const NAME = /^[a-z0-9_-]{1,64}$/;
const MOST_PROMPT_BYTES = 16 * 1024;

/** Parts of a routine as people and agents write them; what is absent stays as it is. */
export interface RoutineChangeRequest extends WrittenSchedule, WrittenTrigger, ToolActionRequest {
  /** True for no schedule: people start it. */
  readonly manual?: boolean | undefined;
  readonly name?: string | undefined;
  readonly prompt?: string | undefined;
  readonly action?: "message" | "lightweight" | "full_job" | undefined;
  /** `provider/model`. */
  readonly model?: string | undefined;
  readonly catchUp?: RoutineDefinition["catchUp"] | undefined;
  readonly overlap?: RoutineDefinition["overlap"] | undefined;
  readonly cooldownSeconds?: number | undefined;
  /** Time within which requests, messages and files with equal text set it off once; 0 for none. */
  readonly dedupSeconds?: number | undefined;
  /** Files of the workspace that each run is given. */
  readonly contextPaths?: readonly string[] | undefined;
  /** Quiet hours, `22:00-07:00`, or `none`. */
  readonly quiet?: string | undefined;
  readonly onAttention?: boolean | undefined;
  readonly onFailure?: boolean | undefined;
  readonly onSuccess?: boolean | undefined;
}

/** Request for a routine. */
export interface RoutineRequest extends RoutineChangeRequest {
  readonly name: string;
  readonly agentId: string;
  readonly creator: JobCreator;
  /** Session that gets its results; none when absent. */
  readonly askedIn?: string | undefined;
}

const STANDARD = {
  action: { kind: "message", prompt: "" },
  notify: { onAttention: true, onFailure: true, onSuccess: false },
  catchUp: "latest",
  overlap: "skip",
} as const;

/**
 * Returns a definition with changes, checked.
 * @param before - definition that is changed; undefined for a new one
 * @param request - the changes
 * @param now - milliseconds since the epoch
 * @param timezone - zone of a schedule that names none
 * @throws ScheduleInvalidError for a schedule that is wrong or missing
 * @throws RoutineRefusedError for a task that is empty or too long
 */
export function changedDefinition(
  before: RoutineDefinition | undefined,
  request: RoutineChangeRequest,
  now: number,
  timezone: string,
): RoutineDefinition {
  const { action, notify, catchUp, overlap, cooldownMs, dedupMs, quietHours } = before ?? {
    ...STANDARD,
    ...{ cooldownMs: undefined, dedupMs: undefined, quietHours: undefined },
  };
  const { onAttention, onFailure, onSuccess, cooldownSeconds, dedupSeconds } = request;
  const trigger = changedTrigger(before?.trigger, request, now, timezone);
  // Each request, message and file is another one; a due time is not.
  const isOutside = ["webhook", "event", "file"].includes(trigger.kind);
  const standardOverlap = before === undefined && isOutside ? "queue" : overlap;
  return {
    trigger,
    action: changedAction(action, request),
    notify: { ...notify, ...defined({ onAttention, onFailure, onSuccess }) },
    catchUp: request.catchUp ?? catchUp,
    overlap: request.overlap ?? standardOverlap,
    ...defined({
      cooldownMs: cooldownSeconds === undefined ? cooldownMs : cooldownSeconds * 1000,
      dedupMs: dedupSeconds === undefined ? dedupMs : dedupSeconds * 1000,
      quietHours: changedHours(quietHours, request.quiet),
    }),
  };
}

/**
 * Returns true when a change names a schedule.
 * @param request - the change
 */
export function changesSchedule({
  at,
  every,
  anchor,
  cron,
  tz,
  manual,
  webhook,
  onMessage,
  onChannel,
  onFile,
}: RoutineChangeRequest): boolean {
  const outside = [webhook, onMessage, onChannel, onFile];
  return [at, every, anchor, cron, tz, manual, ...outside].some((part) => part !== undefined);
}

/**
 * Checks the name of a routine.
 * @param name - name from a caller
 * @throws RoutineRefusedError for a name with other characters
 */
export function assertName(name: string): void {
  if (name === HEARTBEAT) {
    throw new RoutineRefusedError(
      `"${HEARTBEAT}" is the heartbeat of the host, see \`openclaw heartbeat\`; choose another name`,
    );
  }
  if (NAME.test(name)) return;
  throw new RoutineRefusedError(
    `its name "${name}" is not 1 to 64 of the characters a-z, 0-9, _ and -; use a name such as morning-report`,
  );
}

function changedAction(
  before: RoutineDefinition["action"],
  request: RoutineChangeRequest,
): RoutineDefinition["action"] {
  const { action: kind, model, contextPaths, prompt } = request;
  const ofAgent = defined({ action: kind, prompt, model, contextPaths });
  const [field] = Object.keys(ofAgent);
  const call = readToolAction(before, request);
  if (call !== undefined) {
    if (field === undefined) return { ...call, prompt: "" };
    throw new RoutineRefusedError(
      `${field}: it belongs to a task of the agent, and this routine calls a tool; leave one of them out`,
    );
  }
  const { call: known, ...task } = before;
  if (known !== undefined && field === undefined) return before;
  const changed = {
    ...task,
    ...defined({ model, contextPaths: contextPaths && readContextPaths(contextPaths) }),
    kind: kind ?? (known === undefined ? before.kind : "message"),
    prompt: prompt ?? before.prompt,
  };
  assertPrompt(changed.prompt);
  return changed;
}

function changedTrigger(
  before: RoutineDefinition["trigger"] | undefined,
  request: RoutineChangeRequest,
  now: number,
  timezone: string,
): RoutineDefinition["trigger"] {
  const { at, every, anchor, cron, tz, manual } = request;
  if (manual === true) {
    if (at === undefined && every === undefined && cron === undefined) return { kind: "manual" };
    throw new RoutineRefusedError("it is to have a schedule and none; leave one of them out");
  }
  if (before !== undefined && !changesSchedule(request)) return before;
  const outside = outsideTrigger(before, request);
  if (outside !== undefined) {
    if (at === undefined && every === undefined && cron === undefined) return outside;
    throw new RoutineRefusedError("it has a schedule and another trigger; leave one of them out");
  }
  const isNamed = [at, every, cron].some((part) => part !== undefined);
  // A zone alone moves the expression that is there.
  if (!isNamed && before?.kind === "cron" && tz !== undefined) {
    return readSchedule({ cron: before.expression, tz }, now, timezone);
  }
  const zone = before !== undefined && "timezone" in before ? before.timezone : timezone;
  return readSchedule({ at, every, anchor, cron, tz }, now, zone);
}

function outsideTrigger(
  before: RoutineDefinition["trigger"] | undefined,
  { webhook, onMessage, onChannel, onFile }: RoutineChangeRequest,
): RoutineDefinition["trigger"] | undefined {
  const known = before?.kind === "event" ? before : undefined;
  const pattern = onMessage ?? (onChannel === undefined ? undefined : known?.pattern);
  const given = [webhook === true ? true : undefined, pattern, onFile];
  if (given.filter((part) => part !== undefined).length > 1) {
    throw new RoutineRefusedError("it has several triggers; leave all but one out");
  }
  if (onChannel !== undefined && pattern === undefined) {
    throw new RoutineRefusedError("a channel belongs to a pattern of messages; name the pattern");
  }
  if (webhook === true) return { kind: "webhook", salt: randomUUID() };
  if (onFile !== undefined) return { kind: "file", path: readWatchedPath(onFile) };
  if (pattern === undefined) return undefined;
  readPattern(pattern);
  return { kind: "event", pattern, ...defined({ channel: onChannel ?? known?.channel }) };
}

function changedHours(
  before: QuietHours | undefined,
  written: string | undefined,
): QuietHours | undefined {
  if (written === undefined) return before;
  return written.trim().toLowerCase() === "none" ? undefined : readQuietHours(written);
}

function assertPrompt(prompt: string): void {
  if (prompt.trim() === "") throw new RoutineRefusedError("its task is empty; say what to do");
  const bytes = Buffer.byteLength(prompt);
  if (bytes <= MOST_PROMPT_BYTES) return;
  throw new RoutineRefusedError(
    `its task has ${bytes} bytes, and at most ${MOST_PROMPT_BYTES} are allowed; put it into a file and name the file`,
  );
}
