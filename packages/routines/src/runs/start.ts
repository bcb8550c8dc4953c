import { errorMessage } from "@openclaw/foundation";
import type { Jobs } from "@openclaw/jobs";
import type { Messaging } from "@openclaw/messaging";
import type { Routine, RoutineRun, RoutineRunKey, Store } from "@openclaw/store";
import { contextText, type ReadContextFile } from "../context.js";
import { definitionOf, type RoutineDefinition } from "../definition.js";
import { lateness } from "../due.js";
import { RoutineRefusedError } from "../errors.js";
import { taskText } from "../triggers/input.js";
import { creatorOf, heartbeatMessage, instructionsOf, messageOf } from "./task.js";
import { type CallTool, callEnd, type RoutineToolCall, requesterOf } from "./tool-call.js";
import type { RunEnd } from "./verdict.js";

type Action = RoutineDefinition["action"];

/** Dependencies of {@link startRun}. */
export interface RunStartDependencies {
  readonly store: Store;
  readonly messaging: Pick<Messaging, "hostTurns">;
  readonly jobs: Pick<Jobs, "create">;
  /** Returns milliseconds since the epoch. */
  now(): number;
  /** Returns the tasks of a heartbeat. */
  heartbeatTasks(agentId: string): Promise<string>;
  readonly readContextFile: ReadContextFile;
  readonly callTool: CallTool;
}

/** Work of a run that has started, and is stored as running. */
export type StartedRun =
  | { readonly kind: "turn"; readonly runId: string; readonly outcome: Promise<unknown> }
  | { readonly kind: "job"; readonly jobId: string }
  | { readonly kind: "call"; readonly end: Promise<RunEnd> };

/**
 * Starts the work of a run: a turn, a job, or a call of a tool.
 * @param run - a due time in the state `queued`
 * @param dependencies - store, queues, jobs, files and tools
 * @param signal - stops a call of a tool
 * @throws RoutineRefusedError when the run cannot start
 */
export async function startRun(
  routine: Routine,
  run: RoutineRun,
  dependencies: RunStartDependencies,
  signal: AbortSignal,
): Promise<StartedRun> {
  const { action } = definitionOf(routine);
  const { call, kind } = action;
  if (call !== undefined)
    return await startCall(routine, run, dependencies, { kind, call, signal });
  if (kind === "full_job") return await startJob(routine, run, dependencies, action);
  return await startTurn(routine, run, dependencies, action);
}

async function startTurn(
  routine: Routine,
  run: RoutineRun,
  { heartbeatTasks, readContextFile, store, messaging, now }: RunStartDependencies,
  action: Action,
): Promise<StartedRun> {
  const { sessionKey, agentId, name } = routine;
  const isBeat = action.kind === "heartbeat";
  const message = isBeat
    ? heartbeatMessage(routine, action, await heartbeatTasks(agentId))
    : messageOf(
        routine,
        action,
        { ...run, files: await contextText(routine, action, readContextFile) },
        lateness(run.plannedAt, now()),
      );
  const trigger = isBeat ? "heartbeat" : "cron";
  const turn = { sessionKey, agentId, trigger, message, label: name } as const;
  const stored = await store.transaction(async (unit) => {
    const inQueue = await messaging.hostTurns.store(unit, { ...turn, model: action.model });
    await requireStart(unit, run, { runId: inQueue.turn.runId });
    return inQueue;
  });
  const start = { depth: 1, startedAt: performance.now() };
  const queued = messaging.hostTurns.start(stored, message, start, {});
  return { kind: "turn", runId: stored.turn.runId, outcome: queued.outcome };
}

async function startJob(
  routine: Routine,
  run: RoutineRun,
  { readContextFile, store, jobs, now }: RunStartDependencies,
  action: Action,
): Promise<StartedRun> {
  const { kind, prompt, model } = action;
  const { routineId, name, agentId } = routine;
  const files = await contextText(routine, action, readContextFile);
  const instructions = instructionsOf(routine, kind, lateness(run.plannedAt, now()));
  const { jobId } = await jobs.create({
    ...{ title: name, agentId, creator: creatorOf(routine), model },
    description: `${taskText(prompt, run)}${files}\n\n${instructions}`,
    // A repeat after a crash finds the job.
    identity: JSON.stringify(["routine", routineId, run.plannedAt]),
  });
  await requireStart(store, run, { jobId });
  return { kind: "job", jobId };
}

async function startCall(
  routine: Routine,
  run: RoutineRun,
  { store, callTool }: RunStartDependencies,
  {
    kind,
    call,
    signal,
  }: {
    readonly kind: Action["kind"];
    readonly call: RoutineToolCall;
    readonly signal: AbortSignal;
  },
): Promise<StartedRun> {
  const { sessionKey, agentId } = routine;
  await requireStart(store, run, {});
  const request = { sessionKey, agentId, ...call, requester: requesterOf(routine), signal };
  const end = callTool(request).then(
    (result) => callEnd({ kind, tool: call.tool }, result, run.reason),
    (error: unknown): RunEnd => ({ state: "failed", reason: errorMessage(error) }),
  );
  return { kind: "call", end };
}

/** Marks a due time as running, in the transaction that stores its work. */
async function requireStart(
  unit: Pick<Store, "routines">,
  key: RoutineRunKey,
  work: Pick<RoutineRun, "runId" | "jobId">,
): Promise<void> {
  if (await unit.routines.runs.start(key, work)) return;
  throw new RoutineRefusedError("it was removed, or its run has ended already");
}
