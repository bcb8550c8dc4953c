import { randomUUID } from "node:crypto";
import { defined, sha256 } from "@openclaw/foundation";
import {
  ModelAbortedError,
  type ModelAttempt,
  type ModelRequest,
  ModelRequestError,
  ModelTimeoutError,
  type ResolvedModel,
} from "@openclaw/models";
import type { Logger } from "@openclaw/plugin-sdk";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import { messageText, type Usage } from "@openclaw/plugin-sdk/tools";
import type { SpendingCall, SpentAmount } from "@openclaw/store";
import { requestSize, sizeOf } from "../budget/call-size.js";
import {
  reserveSpending,
  type SpendingDependencies,
  spentOn,
  usageWithCost,
} from "../budget/spending.js";
import { requireTokens } from "../budget/token-budget.js";
import { AWAIT_FAIL_CLOSED, modelContext } from "../context/hook-context.js";
import { isSuspended } from "../context/suspension.js";
import type { RunningTurn } from "../context/turn.js";
import { type ContextWindowDependencies, contextWindowOf } from "../conversation/context-window.js";
import { HistoryFold } from "../conversation/history-fold.js";
import {
  type JournalDependencies,
  journalFailure,
  journalReply,
  journalRequest,
} from "../journal/journal.js";
import type { ModelReply } from "../journal/model-reply.js";
import type { RequestPurpose } from "../journal/steps.js";
import { logRejection } from "../observation.js";
import { modelTrace } from "../tracing.js";
import type { OpenPreviews } from "./reply-preview.js";
import {
  emptyDraft,
  gatherReply,
  type ReplyStreamDependencies,
  replyMessage,
} from "./reply-stream.js";
import type { DigestedRequest } from "./request-digest.js";
import { fitRequest } from "./request-fit.js";

/** Dependencies of {@link attemptModel}. */
export interface ModelAttemptDependencies
  extends JournalDependencies,
    ReplyStreamDependencies,
    SpendingDependencies,
    ContextWindowDependencies {
  readonly logger: Logger;
}

/** Input of one model call. */
export interface ModelCallInput {
  readonly model: ResolvedModel;
  readonly request: Omit<ModelRequest, "system" | "signal"> & {
    readonly system: string;
  };
  /** Number of leading messages of the request that belong to earlier turns and may be left out where they do not fit. */
  readonly earlierCount: number;
  /** The user's text as sent, with what hooks added. */
  readonly prompt: string;
  readonly purpose: RequestPurpose;
  /** Opens the filters of the text that is shown before the outbound hooks have seen it (HCR-013). */
  readonly previews: OpenPreviews;
  /** Returns the digest that identifies the request in the journal. */
  digest(request: DigestedRequest): string;
}

/** One request of a model call. */
export interface CallAttempt {
  readonly model: ResolvedModel;
  /** Source of the reply: the model, or in a replay the recording. */
  readonly source:
    | {
        readonly kind: "model";
        readonly events: ModelAttempt["events"];
        /** ID of the harness that replies instead of the model. */
        readonly harnessId?: string | undefined;
      }
    | { readonly kind: "recording"; reply(): Promise<ModelReply> };
}

/**
 * Sends one request and collects its reply. Before anything else, checks the budgets and reserves the cost of the call
 * (TURN-029, LLM-031). Fires `llm_input`, `model_call_started`, `model_call_ended` and, after
 * output, `llm_output`, in this order (TURN-027). Returns the text received of a reply that was interrupted, with the
 * stop reason `interrupted` (TURN-053), and of an answer that broke off, with the stop reason `error` (LLM-023).
 * @param asked - the request; messages of earlier turns that do not fit into the window of the model are left out
 * @param attempt - model and source of the reply
 * @throws ModelRequestError when there is no text
 * @throws ModelBudgetError when the call does not fit into a budget
 */
export async function attemptModel(
  turn: RunningTurn<ModelAttemptDependencies>,
  asked: ModelCallInput,
  attempt: CallAttempt,
): Promise<ModelReply> {
  const { request } = turn;
  const dependencies = withJobBudget(turn);
  const jobId = request.job?.jobId;
  const input = fitRequest(turn, attempt.model, asked);
  await requireTokens(dependencies, { ...request, jobId });
  const { agentId, sessionId, sessionKey, runId } = request;
  const { provider, modelId } = attempt.model;
  const callId = randomUUID();
  const identity = { callId, runId, sessionKey, sessionId, agentId, jobId };
  const call = { ...identity, provider, model: modelId };
  const isReserved =
    attempt.source.kind === "model" &&
    (await reserveSpending(dependencies, call, attempt.model, requestSize(input)));
  try {
    return await sendRequest(turn, input, attempt, call);
  } catch (error) {
    // What arrived was recorded in place of the reservation, which then remains.
    if (isReserved) await dependencies.store.spending.release(callId);
    throw error;
  }
}

/** Returns the dependencies of a turn, with the budget of its job among the budgets. */
function withJobBudget({ dependencies, request }: RunningTurn<ModelAttemptDependencies>) {
  const { job } = request;
  if (job === undefined) return dependencies;
  return { ...dependencies, budgets: { ...dependencies.budgets, job: job.budget } };
}

async function sendRequest(
  turn: RunningTurn<ModelAttemptDependencies>,
  input: ModelCallInput,
  { model, source }: CallAttempt,
  made: SpendingCall,
): Promise<ModelReply> {
  const { logger, now } = turn.dependencies;
  const { hooks } = turn.pin;
  const { runId, sessionId, sessionKey } = turn.request;
  const { provider, modelId } = model;
  const { purpose } = input;
  const window = contextWindowOf(model, turn.request.agentId, turn.dependencies);
  const context = modelContext(turn.state.hookContext, model, window);
  const identity = { runId, provider, model: modelId };
  const { callId } = made;
  const call = { ...identity, callId, ...window };

  await hooks.observe(
    "llm_input",
    { ...identity, sessionId, ...inputFields(input) },
    context,
    AWAIT_FAIL_CLOSED,
  );
  await hooks.observe("model_call_started", call, context, AWAIT_FAIL_CLOSED);
  const draft = emptyDraft();
  const startedAt = performance.now();
  const ended = (end: ModelCallEnd) => {
    const { firstAt, responseId } = draft;
    const event = {
      ...call,
      durationMs: Math.round(performance.now() - startedAt),
      ...defined({
        timeToFirstByteMs: firstAt === undefined ? undefined : Math.round(firstAt - startedAt),
        upstreamRequestIdHash: responseId === undefined ? undefined : hashOf(responseId),
      }),
      ...end,
    };
    return hooks.observe("model_call_ended", event, context, AWAIT_FAIL_CLOSED);
  };

  const spentBy = (usage: Usage) =>
    spentOn(turn.dependencies, model, usage, () => sizeOf(input, draft));
  let reply: ModelReply;
  try {
    const { messages } = input.request;
    await journalRequest(turn, {
      callId,
      model: model.ref,
      digest: input.digest(input.request),
      messageCount: messages.length,
      ...defined({ purpose: purpose === "summary" ? purpose : undefined }),
    });
    reply =
      source.kind === "model"
        ? await modelTrace.trace(
            () => ({ runId, sessionKey, provider, model: modelId, purpose }),
            async () => {
              const events = source.events({ ...input.request, runId });
              const stream = { model, callId, events, draft, previews: input.previews };
              const gathered = await gatherReply(turn, stream);
              return priced(gathered, spentBy(gathered.usage));
            },
            endOfReply,
          )
        : await source.reply();
    await journalReply(turn, reply, { call: made, spent: spentBy(reply.usage) });
  } catch (error) {
    // Not awaited: the turn fails with the failure of the model, not with that of an observer.
    logRejection(ended(failedEnd(error)), logger);
    const hasArrived = draft.text !== "" || draft.thinking !== "";
    const spent = spentBy({});
    await journalFailure(turn, callId, error, hasArrived ? { call: made, spent } : undefined);
    const { signal } = turn.request;
    if (draft.text === "" || purpose === "summary") throw error;
    if (signal.aborted) {
      // The partial reply is not kept: the model is called again when the turn resumes.
      if (isSuspended(signal)) throw error;
      const message = replyMessage(model, draft, "interrupted", now());
      return priced({ message, usage: {}, calls: [] }, spent);
    }
    if (!ModelRequestError.isInstance(error)) throw error;
    const message = replyMessage(model, draft, "error", now());
    return priced({ message, usage: {}, calls: [], failure: error }, spent);
  }
  await ended({ outcome: "completed" });
  const { message, usage } = reply;
  if (purpose !== "summary" && source.kind === "model") {
    const isCounted = (usage.input ?? 0) > 0;
    const { input: used, output = 0 } = isCounted ? usage : sizeOf(input, draft);
    const usedTokens = (used ?? 0) + output;
    const windowTokens = window.contextTokenBudget;
    turn.request.onEvent({ type: "context-used", model: model.ref, usedTokens, windowTokens });
  }
  if (message.content.length > 0) {
    const output = {
      assistantTexts: [messageText(message)],
      lastAssistant: message,
      usage,
      contextTokenBudget: window.contextTokenBudget,
      ...defined({ harnessId: source.kind === "model" ? source.harnessId : undefined }),
    };
    await hooks.observe(
      "llm_output",
      { ...identity, sessionId, ...output },
      context,
      AWAIT_FAIL_CLOSED,
    );
  }
  return reply;
}

/** Returns a reply whose usage has its cost (LLM-004). */
function priced(reply: ModelReply, spent: SpentAmount): ModelReply {
  const usage = usageWithCost(spent);
  return { ...reply, usage, message: { ...reply.message, usage } };
}

function endOfReply({ message, usage }: ModelReply) {
  const { stopReason } = message;
  const { input, output, cost } = usage;
  const costUsd = cost === undefined ? undefined : Number(cost.usd);
  return { stopReason, inputTokens: input, outputTokens: output, costUsd };
}

/** Returns a hash that lets telemetry correlate calls but is useless to query the provider. */
function hashOf(responseId: string): string {
  return sha256(responseId);
}

type ModelCallEnd = Pick<
  HookMap["model_call_ended"]["event"],
  "outcome" | "errorCategory" | "failureKind"
>;

function failedEnd(error: unknown): ModelCallEnd {
  const errorCategory = OpenClawError.isInstance(error) ? error.code : "UNEXPECTED";
  if (ModelAbortedError.isInstance(error)) {
    return { outcome: "error", errorCategory, failureKind: "aborted" };
  }
  if (ModelTimeoutError.isInstance(error)) {
    return { outcome: "error", errorCategory, failureKind: "timeout" };
  }
  return { outcome: "error", errorCategory };
}

const images = new HistoryFold<number>({
  start: () => 0,
  add(count, { content }) {
    let added = 0;
    for (const part of content) if (part.type === "image") added += 1;
    return count + added;
  },
  copy: (count) => count,
});

function inputFields({ request, prompt }: ModelCallInput) {
  // At first the prompt is the newest message; after tool calls it is part of the history.
  const isFirst = request.messages.at(-1)?.role === "user";
  return {
    prompt,
    historyMessages: request.messages.slice(0, isFirst ? -1 : undefined),
    imagesCount: images.of(request.messages),
    tools: request.tools.map(({ name, description }) => ({ name, description })),
    systemPrompt: request.system,
  };
}
