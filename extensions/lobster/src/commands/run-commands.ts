import { type CliContext, defined } from "@openclaw/plugin-sdk/plugin-entry";
import type { JsonObject, JsonValue } from "@openclaw/plugin-sdk/tools";
import type { Envelope } from "../envelope/envelope.js";
import { LobsterError, LobsterRunNotFoundError } from "../errors.js";
import { consumed } from "../gates/resumption.js";
import type { SuspendedRun } from "../gates/run.js";
import type { SuspendedRuns } from "../gates/runs.js";
import { callLobster, callMethod, noticeOfWait } from "./gateway.js";
import { refuseUnattended } from "./look-ahead.js";
import { envelopeLines, print, shownRun } from "./output.js";

const EXIT_FAILED = 1;
const EXIT_NEGATIVE = 3;
const POLL_MS = 200;
const PATIENCE_MS = 600_000;

/** Options of every command. */
export interface CommandOptions {
  readonly json?: boolean;
}

/** Options of `run`. */
export interface RunOptions extends CommandOptions {
  readonly pipeline?: string;
  readonly argsJson?: string;
  readonly cwd?: string;
  readonly session: string;
  readonly timeoutMs?: string;
  /** Runs also what will be denied at a gate. */
  readonly yes?: boolean;
}

/** Options of `resume`. */
export interface ResumeOptions extends CommandOptions {
  readonly approve?: boolean;
  readonly deny?: boolean;
  readonly responseJson?: string;
}

/**
 * Runs a workflow file or a pipeline.
 * @param context - command line
 * @param file - workflow file, relative to the workspace
 * @param options - pipeline, arguments and session
 */
export async function runCommand(
  context: CliContext,
  file: string | undefined,
  options: RunOptions,
): Promise<void> {
  const { pipeline, argsJson, cwd, session, timeoutMs, json = false, yes = false } = options;
  if ((file === undefined) === (pipeline === undefined)) {
    throw new LobsterError("parse_error", "give a workflow file, or --pipeline with a pipeline");
  }
  const params: JsonObject = { action: "run" };
  if (file !== undefined) params.filePath = file;
  if (pipeline !== undefined) params.pipeline = pipeline;
  if (argsJson !== undefined) params.argsJson = argsJson;
  if (cwd !== undefined) params.cwd = cwd;
  if (timeoutMs !== undefined) params.timeoutMs = Number(timeoutMs);
  const ahead = { sessionKey: session, ...defined({ pipeline, filePath: file, cwd }) };
  const refused = await refuseUnattended(context, ahead, yes);
  finish(context, refused ?? (await callLobster(context, session, params)), json);
}

/**
 * Decides a gate, or answers a request for input, and waits for the run.
 * @param context - command line
 * @param code - ID or code of the run
 * @param options - decision
 */
export async function resumeCommand(
  context: CliContext,
  runs: SuspendedRuns,
  code: string,
  { approve = false, deny = false, responseJson, json = false }: ResumeOptions,
): Promise<void> {
  if ([approve, deny, responseJson !== undefined].filter(Boolean).length !== 1) {
    throw new LobsterError("parse_error", "give one of --approve, --deny and --response-json");
  }
  const run = await findRun(runs, code);
  const by = { action: "resume", approvalId: run.code };
  if (deny) {
    const params = { ...by, cancel: true };
    return finish(context, await callLobster(context, run.sessionKey, params), json);
  }
  if (responseJson !== undefined) {
    const params = { ...by, response: parsed(responseJson) };
    return finish(context, await callLobster(context, run.sessionKey, params), json);
  }
  if (run.status !== "suspended") throw consumed();
  if (run.need === "input") {
    throw new LobsterError(
      "parse_error",
      "--approve: the run waits for an answer; give it with --response-json",
    );
  }
  // The operator decides the approval request, as in chat; the gateway then continues the run.
  const id = run.approvalId;
  if (id === null) {
    const problem = "the approval request of the run is not stored yet; try it again in a minute";
    throw new LobsterError("runtime_error", problem);
  }
  const { digest } = (await callMethod(context, "approvals.get", { id })) as {
    readonly digest: string;
  };
  await callMethod(context, "approvals.resolve", { id, digest, decision: "allow-once" });
  const notice = noticeOfWait();
  const ended = await settled(runs, run).finally(() => clearTimeout(notice));
  const { result } = shownRun(ended);
  if (result !== undefined) return finish(context, result as Envelope, json);
  const isRepeated = ended.gate === run.gate && ended.approvalId !== id;
  const note = isRepeated
    ? [
        `The gate did not pass: it needs another person than you. The request is now ${ended.approvalCode}.`,
        "",
      ]
    : [];
  print(json, shownRun(ended), () => [...note, ...runLines(ended)]);
  if (isRepeated) context.setExitCode?.(EXIT_NEGATIVE);
}

/**
 * Cancels a suspended run.
 * @param context - command line
 * @param id - ID or code of the run
 * @param options - format
 */
export async function cancelCommand(
  context: CliContext,
  runs: SuspendedRuns,
  id: string,
  { json = false }: CommandOptions,
): Promise<void> {
  const run = await findRun(runs, id);
  const params = { action: "resume", approvalId: run.code, cancel: true };
  const envelope = await callLobster(context, run.sessionKey, params);
  print(json, envelope, () => envelopeLines(envelope));
  if (!envelope.ok) context.setExitCode?.(EXIT_FAILED);
}

/**
 * Lists suspended runs.
 * @param options - true as `all` includes runs that have ended
 */
export async function listCommand(
  runs: SuspendedRuns,
  { all = false, json = false }: CommandOptions & { readonly all?: boolean },
): Promise<void> {
  const found = await runs.list(!all);
  print(json, { runs: found.map(shownRun) }, () =>
    found.length === 0
      ? [all ? "No runs." : "No suspended runs."]
      : found.map(
          ({ code, status, name, prompt }) => `${code}  ${status.padEnd(10)} ${name}: ${prompt}`,
        ),
  );
}

/**
 * Shows one run.
 * @param id - ID or code of the run
 * @param options - format
 */
export async function showCommand(
  runs: SuspendedRuns,
  id: string,
  { json = false }: CommandOptions,
): Promise<void> {
  const run = await findRun(runs, id);
  print(json, shownRun(run), () => runLines(run));
}

function runLines(run: SuspendedRun): string[] {
  const { result, ...fields } = shownRun(run);
  const lines = Object.entries(fields).map(([name, value]) => `${name.padEnd(12)} ${value}`);
  return result === undefined ? lines : [...lines, "", ...envelopeLines(result as Envelope)];
}

function finish(context: CliContext, envelope: Envelope, json: boolean): void {
  print(json, envelope, () => [...envelopeLines(envelope), ...hintsOf(context, envelope)]);
  if (!envelope.ok) context.setExitCode?.(EXIT_FAILED);
  else if (envelope.status === "cancelled") context.setExitCode?.(EXIT_NEGATIVE);
}

const WAIT_HINTS = [
  "  let calls wait:        openclaw config set approvals.headless wait",
  "  and decide meanwhile:  openclaw approvals list, openclaw approvals approve <code>",
  "or open a chat with the gateway during the run.",
];

/** Returns what an operator can do about a failure. */
function hintsOf({ workspaceDir }: CliContext, envelope: Envelope): readonly string[] {
  if (envelope.ok) return [];
  const { type, message } = envelope.error;
  if (message.includes("in the session's workspace ") && workspaceDir !== undefined) {
    return ["Its conversation began in that folder; `--session <key>` names another session."];
  }
  if (type === "denied" && message.includes("; nothing has run")) {
    return [
      "This command line cannot ask for the approval. Either",
      ...WAIT_HINTS,
      "With --yes the run begins, and ends as denied at the gate.",
    ];
  }
  if (type === "denied" && message.includes("no approver reachable")) {
    return [
      "The command of the step needs an approval, and this command line cannot ask for it. Either",
      ...WAIT_HINTS,
    ];
  }
  return [];
}

async function findRun(runs: SuspendedRuns, id: string): Promise<SuspendedRun> {
  const spelled = id.trim();
  const all = await runs.list(false);
  const found = all.find((run) => run.id === spelled || run.code === spelled.toUpperCase());
  if (found === undefined) throw new LobsterRunNotFoundError(id);
  return found;
}

/** Waits until the gateway has continued a run to its end or its next gate. */
async function settled(runs: SuspendedRuns, run: SuspendedRun): Promise<SuspendedRun> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const now = (await runs.get(run.id)) ?? run;
    const isWorking = now.status === "claimed" || now.status === "running";
    const isUntouched =
      now.status === "suspended" && now.gate === run.gate && now.approvalId === run.approvalId;
    if ((!isWorking && !isUntouched) || Date.now() > until) return now;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new LobsterError("parse_error", "--response-json: expected JSON");
  }
}
