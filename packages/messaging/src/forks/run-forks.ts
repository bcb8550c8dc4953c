import { randomUUID } from "node:crypto";
import {
  logRejection,
  recordTurn,
  type TurnDependencies,
  type TurnRecording,
} from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type {
  GatewayMethodParameters,
  GatewayMethodResult,
  MethodCaller,
} from "@openclaw/protocol";
import type { JournalStep, ShownHistory, Store, Turn } from "@openclaw/store";
import { RunNotForkableError } from "../errors.js";
import type { InboundMessage } from "../messages/inbound.js";
import { agentOfCallerKey } from "../sessions/key.js";
import type { HostTurns, StoredHostTurn } from "../turns/host-turns.js";
import { CALLER_CHANNEL, senderOfCaller } from "../turns/send.js";
import { type CopyTarget, copyConversation } from "./conversation-copy.js";
import { planFork } from "./plan.js";

type Parameters = GatewayMethodParameters<"run.fork">;
type Result = GatewayMethodResult<"run.fork">;

/** Characters of a message in the label of its fork. */
const LABEL = 80;
const ENDED: ReadonlySet<Turn["state"]> = new Set(["completed", "failed", "interrupted"]);

/** Dependencies of {@link RunForks}. */
export interface RunForksDependencies {
  readonly store: Store;
  readonly turns: Pick<HostTurns, "store" | "start">;
  readonly logger: Logger;
  /** Returns the services for turns that start now. */
  services(): Pick<TurnDependencies, "models">;
}

/** Continues recorded runs from earlier points, each in a new session. */
export class RunForks {
  readonly #dependencies: RunForksDependencies;

  /** @param dependencies - store, turns, models and log */
  constructor(dependencies: RunForksDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Continues a run from one of its model calls. Its journal up to there becomes that of the new run, which resumes like
   * a run of an earlier process: a recorded step is taken over, and not made again (TURN-502).
   * @param turn - the recorded run
   * @param parameters - model call, model, and true for a preview
   * @param caller - client that asks for it; the fork has no more rights than the run had
   * @throws RunNotReplayableError, RunNotForkableError, ModelNotFoundError
   */
  async fork(
    turn: Turn,
    { fromStep, model, isPreview = false }: Omit<Parameters, "runId">,
    caller: MethodCaller,
  ): Promise<Result> {
    if (!ENDED.has(turn.state)) {
      const problem =
        turn.state === "blocked"
          ? "nothing of a blocked message is kept"
          : "it has not ended; wait for its end, or stop it";
      throw new RunNotForkableError(turn.runId, problem);
    }
    const { store, services } = this.#dependencies;
    const recording = await recordTurn(turn, store);
    refuseOthers(recording);
    const { points, ...plan } = planFork(recording, fromStep);
    const result = {
      fromStep: plan.fromStep,
      recorded: [...plan.recorded],
      repeated: [...plan.repeated],
      points: [...points],
    };
    if (model !== undefined) await services().models.resolve(model);
    if (isPreview) return result;
    return { ...result, started: await this.#start(recording, plan.fromStep, model, caller) };
  }

  async #start(
    recording: TurnRecording,
    fromStep: number,
    model: string | undefined,
    caller: MethodCaller,
  ): Promise<NonNullable<Result["started"]>> {
    const { store, turns, logger } = this.#dependencies;
    const startedAt = performance.now();
    const { agentId, sessionKey: original } = recording;
    const sessionKey = `agent:${agentId}:fork:${randomUUID()}`;
    const message = messageOf(recording, { sessionKey, model, caller });
    const { label = recording.request.text } = (await store.sessions.get(original)) ?? {};
    const stored = await store.transaction(async (unit) => {
      const shown = label.trim().slice(0, LABEL);
      const task = { sessionKey, agentId, trigger: "user", message, model } as const;
      const queued = await turns.store(unit, { ...task, ...(shown !== "" && { label: shown }) });
      await copySteps(recording, fromStep, { queued, model }, unit);
      return queued;
    });
    const { outcome } = turns.start(stored, message, { depth: 0, startedAt });
    logRejection(outcome, logger);
    const { runId, inboxId: messageId } = stored.turn;
    return { sessionKey, runId, messageId };
  }
}

/** Rejects runs whose limits or partners a new session would not have. */
function refuseOthers({ runId, sessionKey, request, steps }: TurnRecording): void {
  const refuse = (problem: string): never => {
    throw new RunNotForkableError(runId, problem);
  };
  if (agentOfCallerKey(sessionKey) === undefined) {
    refuse("it belongs to a subagent, a job or a routine; fork the run that started it");
  }
  if ((request.client?.tools ?? []).length > 0) {
    refuse("it used tools of a client, which is not connected; send its message again");
  }
  const isOfHarness = steps.some(({ step }) => step.kind === "turn-prepared" && step.harness);
  if (isOfHarness) refuse("an agent harness ran it, which keeps its own state");
}

/** Returns the message of the run as one of the client, for the owner only if both are. */
function messageOf(
  { runId, agentId, request }: TurnRecording,
  {
    sessionKey,
    model,
    caller,
  }: { sessionKey: string; model: string | undefined; caller: MethodCaller },
): InboundMessage {
  const { origin, text, attachments, extraInstructions, history, client } = request;
  const { senderIsOwner, ...sender } = senderOfCaller(caller);
  const { groupId } = origin;
  return {
    channel: CALLER_CHANNEL,
    conversationId: sessionKey,
    ...sender,
    senderIsOwner: senderIsOwner && origin.senderIsOwner,
    ...{ text, attachments, extraInstructions, history, client, sessionKey, agentId, model },
    room: groupId === undefined ? undefined : { kind: "group", id: groupId },
    forkedFrom: runId,
  };
}

/** Writes the conversation and the steps before a model call as those of a new run. */
async function copySteps(
  recording: TurnRecording,
  fromStep: number,
  { queued, model }: { queued: StoredHostTurn; model: string | undefined },
  unit: CopyTarget,
): Promise<void> {
  const { summary, history, messages, steps } = recording;
  const { sessionId } = queued.session;
  const { runId } = queued.turn;
  const places = await copyConversation({ summary, messages: history }, sessionId, unit);
  const written = new Map(messages.map(({ seq, message }) => [seq, message]));
  for (const { seq, step } of steps) {
    if (seq >= fromStep) break;
    if (step.kind === "message-stored") {
      const message = written.get(step.seq);
      if (message === undefined) continue;
      const copy = await unit.messages.transcript.append({ sessionId, runId, message });
      places.set(step.seq, copy.seq);
      continue;
    }
    const taken = takenOver(step, places, model);
    if (taken !== undefined) await unit.turns.journal.append({ runId, step: taken });
  }
}

/** Returns a step as one of the fork; undefined for steps that belong to the process or to approval requests. */
function takenOver(
  step: JournalStep,
  places: ReadonlyMap<number, number>,
  model: string | undefined,
): JournalStep | undefined {
  switch (step.kind) {
    case "turn-prepared":
      return { ...step, history: moved(step.history, places), ...defined({ model }) };
    case "conversation-shortened":
      return { ...step, history: moved(step.history, places) };
    case "message-dropped":
    case "message-steered":
    case "model-requested":
    case "model-answered":
    case "model-failed":
    case "answer-revised":
    case "tool-intended":
    case "tool-answered":
      return step;
    default:
      return undefined;
  }
}

/** Returns the places of a history in the new conversation. */
function moved(history: ShownHistory, places: ReadonlyMap<number, number>): ShownHistory {
  const { entries } = history;
  if (entries === undefined) return history;
  const kept = [...places].filter(([seq]) => seq >= entries.from && seq <= entries.to);
  const own = kept.map(([, place]) => place);
  const { entries: _, ...rest } = history;
  if (own.length === 0) return rest;
  return { ...rest, entries: { from: Math.min(...own), to: Math.max(...own) } };
}
