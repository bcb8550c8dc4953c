import { defined } from "@openclaw/foundation";
import {
  type AgentMessage,
  type AssistantMessage,
  messageText,
  type Usage,
} from "@openclaw/plugin-sdk/tools";
import { addUsage } from "../budget/spending.js";
import type { ClientCall } from "../context/client.js";
import type { TurnOutcome, TurnStopReason } from "../context/event.js";
import type { RunningTurn } from "../context/turn.js";
import type { ContextWindowDependencies } from "../conversation/context-window.js";
import { assistantNote, userNote } from "../conversation/message-note.js";
import {
  type MessageWriting,
  type TranscriptDependencies,
  writeMessage,
  writeToolResult,
} from "../conversation/transcript-writer.js";
import { EmptyReplyError, ModelBudgetError } from "../errors.js";
import { journalStep } from "../journal/journal.js";
import type { ModelReply } from "../journal/model-reply.js";
import { conclusionStep, type ResumeState } from "../journal/resume-state.js";
import { createToolOffer } from "../offer/model-offer.js";
import { ASK_ONCE_MORE, isBlank, wasDelivered } from "../reply/empty.js";
import { joinReply, ReplyParts, splitReply } from "../reply/parts.js";
import { finalReason, isNatural } from "../reply/stop-reason.js";
import { transformReply } from "../reply/transformation.js";
import { callTools, type ToolBatchDependencies } from "../tool-call/batch.js";
import { guardText } from "../tool-call/result-safety.js";
import {
  createAnswerRevisions,
  type Revision,
  type RevisionDependencies,
} from "./answer-revision.js";
import { type CompactionDependencies, compactAfterOverflow } from "./compaction/compaction.js";
import { isOverflow } from "./context-overflow.js";
import { describeError } from "./end.js";
import { heartbeatModelSettings } from "./heartbeat.js";
import { callModel } from "./model-call.js";
import type { PreparedTurn } from "./prepared-turn.js";
import { PreviewedText, replyPreviews, SHOW_AT_ONCE } from "./reply-preview.js";
import { createRequestDigest } from "./request-digest.js";

/** Dependencies of {@link runModelLoop}. */
export type ModelLoopDependencies = ToolBatchDependencies &
  CompactionDependencies &
  ContextWindowDependencies &
  RevisionDependencies &
  TranscriptDependencies & {
    /** Maximum number of model calls in one turn. */
    readonly maxIterations: number;
    /** True streams text although a hook may still rewrite it (HCR-013). */
    readonly previewBeforeHooks?: boolean | undefined;
    readonly resumeState: Pick<ResumeState, "isExhausted" | "reconsidered" | "takeSteering">;
  };

/** Messages of a turn at the beginning and at the end of its model loop. */
export interface LoopMessages {
  /** Messages of the turn that the model receives first. */
  readonly opening: readonly AgentMessage[];
  /** Receives the messages that the turn writes. */
  readonly messages: AgentMessage[];
}

type Completed = Extract<TurnOutcome, { status: "completed" }>;
type Paused = Extract<TurnOutcome, { status: "paused" }>;

/**
 * Calls the model until it gives a final answer that the plugins accept, running the tool calls of each
 * reply before the next request, and returns the text to deliver. Recorded steps are not repeated. The turn
 * waits when an approval request is pending.
 * @param messages - messages at the beginning and at the end of the loop
 */
export async function runModelLoop(
  turn: RunningTurn<ModelLoopDependencies>,
  prepared: PreparedTurn,
  { opening, messages }: LoopMessages,
): Promise<Completed | Paused> {
  const { request, state } = turn;
  const { resumeState, now, previewBeforeHooks } = turn.dependencies;
  const maxIterations = request.job?.maxIterations ?? turn.dependencies.maxIterations;
  const { model, prompt, history, tools, policyContext, harness } = prepared;
  state.toolNames = [...tools.keys()];
  const reconsidered = new Set(resumeState.reconsidered);
  const scope = { turn, tools, policyContext, reconsidered };
  const conversation: AgentMessage[] = [...history.messages, ...opening];
  /** Number of leading messages that are not of this turn. */
  let earlierCount = history.messages.length;
  const { settings, toolChoice } = request.client ?? {};
  const ofHeartbeat = heartbeatModelSettings(turn, model);
  let choice = toolChoice;
  const offered = createToolOffer(tools, toolChoice);
  const digest = createRequestDigest();
  const revisions = createAnswerRevisions(turn);
  const previews = previewBeforeHooks === true ? SHOW_AT_ONCE : replyPreviews(turn);
  const usage: Usage = {};
  // A reply in JSON is one document, which no other text may precede.
  const isJson = settings?.responseFormat?.type === "json";
  const parts = new ReplyParts(isJson ? "last" : (request.reply ?? "all"));
  const thoughts: string[] = [];
  /** A conversation that a provider rejects as too long is compacted once per turn (TURN-051). */
  let wasShortened = false;
  /** A model that gives no text is asked once more per turn (TURN-200). */
  let wasAskedOnceMore = false;
  /** True when the turn may end without text, because people of the conversation were shown something. */
  let hasDelivered = request.mayBeEmpty === true;
  let isRevision = false;

  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    // Recorded calls are processed too, so that every call has its answer.
    if (resumeState.isExhausted) request.signal.throwIfAborted();
    let reply: ModelReply;
    const asked = {
      system: prompt.system,
      messages: conversation,
      tools: offered(conversation),
      ...ofHeartbeat,
      ...settings,
      ...defined({ toolChoice: choice }),
    };
    try {
      reply = await callModel(turn, {
        model,
        request: asked,
        earlierCount,
        prompt: prompt.user,
        purpose: "answer",
        previews,
        digest,
        harness: harness && { ...harness, isRevision },
      });
    } catch (error) {
      if (ModelBudgetError.isInstance(error)) {
        return await stop(`I stopped because ${error.problem}`, "budget");
      }
      const isTooLong = isOverflow(
        error,
        model,
        { request: asked },
        request.agentId,
        turn.dependencies,
      );
      if (wasShortened || !isTooLong || !(await shortened())) throw error;
      wasShortened = true;
      continue;
    }
    const { message } = reply;
    // A choice that forces a call would never let the turn end.
    choice = undefined;
    addUsage(usage, reply.usage);
    const text = messageText(message);
    thoughts.push(
      ...message.content.flatMap((part) => (part.type === "thinking" ? [part.text] : [])),
    );
    if (message.stopReason === "interrupted") {
      await write(message, {
        steps: [conclusionStep({ status: "interrupted", text: "" })],
        isDeferred: true,
      });
      request.signal.throwIfAborted();
    }
    if (reply.failure !== undefined) {
      const failed = { status: "failed", error: describeError(reply.failure), text: "" } as const;
      await write(message, { steps: [conclusionStep(failed)], isDeferred: true });
      throw reply.failure;
    }
    // The reply may end at a stop sequence of the client before any text, and a harness may send its answer by itself.
    hasDelivered ||= message.stopSequence !== undefined || message.delivered === true;
    if (reply.calls.length === 0) {
      const mayGoOn = iteration < maxIterations;
      if (isBlank(text) && !hasDelivered && !wasAskedOnceMore && mayGoOn) {
        wasAskedOnceMore = true;
        conversation.push(userNote(ASK_ONCE_MORE, now()));
        continue;
      }
      const revision =
        mayGoOn && !isBlank(text) && isNatural(message) ? await review(message) : undefined;
      if (revision === undefined)
        return await finish(message, parts.endedBy(text), finalReason(message));
      isRevision = true;
      const { instruction, keys } = revision;
      await write(message, { steps: [{ kind: "answer-revised", instruction, keys }] });
      await write(userNote(instruction, now()));
      continue;
    }
    parts.add(text);
    await write(message);
    const called = await callTools(reply, scope, async ({ message: answer, isSynthetic }) => {
      keep(await writeToolResult(turn, answer, isSynthetic), answer);
      hasDelivered ||= wasDelivered(answer, request.origin);
    });
    if (called.status === "pending") {
      return { status: "paused", text: "", approvalId: called.approval.id };
    }
    const { answers, returned } = called;
    request.signal.throwIfAborted();
    if (returned.length > 0) return await handOver(returned);
    if (answers.some(({ terminate }) => terminate)) return await handOver();
    for (const steering of await takeSteering(turn)) {
      const note = userNote(steering, now());
      const written = await writeMessage(turn, note);
      state.lastUserMessageAt = written?.timestamp ?? note.timestamp;
      keep(written, note);
    }
  }
  const notice = `I stopped after ${maxIterations} model calls in one turn. Ask me to continue, or raise agents.defaults.maxIterations.`;
  return await stop(notice, "max_iterations");

  async function shortened(): Promise<boolean> {
    const added = conversation.slice(history.messages.length);
    const shorter = await compactAfterOverflow(turn, model, history, added);
    if (shorter === undefined) return false;
    conversation.splice(0, history.messages.length, ...shorter.messages);
    earlierCount = shorter.messages.length;
    return true;
  }

  /** Returns a complete text as a preview shows it; undefined when none is shown. */
  function shownNow(text: string): string | undefined {
    const { safety, logger } = turn.dependencies;
    const onFailure = (problem: string) =>
      logger.warn(`a text of a turn is not shown: ${problem}`, { code: "REPLY_PREVIEW_FAILED" });
    const previewed = new PreviewedText(previews, { safety, onFailure });
    return previewed.isShown ? previewed.push(text) + previewed.flush() : undefined;
  }

  /** Returns the reasoning of all replies as it was previewed. */
  function reasoning(): { readonly reasoning?: string } {
    if (thoughts.length === 0) return {};
    return defined({
      reasoning: shownNow(guardText(thoughts.join("\n\n"), turn.dependencies.safety)),
    });
  }

  /** Returns the parts of a delivered reply that has several. */
  function partsOf(delivered: string, said: readonly string[]): Pick<Completed, "parts"> {
    const shown = said.map((text) => guardText(text, turn.dependencies.safety));
    const texts = splitReply(delivered, shown);
    return defined({ parts: texts.length > 1 ? texts : undefined });
  }

  /** T12: returns the revision that plugins request; the answer is kept if they fail. */
  async function review(message: AssistantMessage): Promise<Revision | undefined> {
    return await keptOnFailure(message, () => revisions.ask(message, conversation));
  }

  /** T13 and T14: the transcript keeps the model's text, and the delivered one where they differ. */
  async function finish(
    message: AssistantMessage,
    said: readonly string[],
    stopReason: TurnStopReason,
  ): Promise<Completed> {
    const text = joinReply(said);
    const delivered = await keptOnFailure(message, () => transformReply(turn, text, messages));
    // A plugin may answer, or withhold the reply, instead of the model.
    if (isBlank(messageText(message)) && delivered === text && !hasDelivered) {
      throw new EmptyReplyError(model.ref, message.stopReason);
    }
    const outcome: Completed = {
      status: "completed",
      text: delivered,
      stopReason,
      usage,
      ...defined({ stopSequence: message.stopSequence }),
      ...partsOf(delivered, said),
      ...reasoning(),
    };
    const kept =
      delivered === text ? message : { ...message, deliveredText: parts.endOf(delivered) };
    await write(kept, { steps: [conclusionStep(outcome)], isDeferred: true });
    return outcome;
  }

  /** Ends the turn early, with the model's last text, if any, and the reason. */
  async function stop(notice: string, stopReason: TurnStopReason): Promise<Completed> {
    const shown = shownNow(notice);
    if (shown !== undefined) request.onEvent({ type: "text", delta: shown });
    return await finish(assistantNote(notice, now()), [...parts.texts, notice], stopReason);
  }

  /** Ends with a reply whose parts are already written. */
  async function handOver(clientCalls?: readonly ClientCall[]): Promise<Completed> {
    const said = joinReply(parts.texts);
    const text = await transformReply(turn, said, messages);
    const stopReason = clientCalls === undefined ? "tool-terminated" : "client-tools";
    const outcome: Completed = {
      status: "completed",
      text,
      stopReason,
      usage,
      ...partsOf(text, parts.texts),
      ...defined({ clientCalls }),
      ...reasoning(),
    };
    const end = conclusionStep(outcome);
    if (text === said) await journalStep(turn, end);
    else {
      const delivered = {
        ...assistantNote("", now()),
        content: [],
        deliveredText: parts.endOf(text),
      };
      await write(delivered, { steps: [end], isDeferred: true });
    }
    return outcome;
  }

  async function keptOnFailure<Result>(
    message: AssistantMessage,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const { aborted } = request.signal;
      await write(aborted ? { ...message, stopReason: "interrupted" } : message);
      throw error;
    }
  }

  async function write(message: AgentMessage, writing?: MessageWriting): Promise<void> {
    keep(await writeMessage(turn, message, writing), message);
  }

  /** Adds the written message to the conversation; the model also needs a message that a hook dropped. */
  function keep(written: AgentMessage | undefined, said: AgentMessage): void {
    if (written !== undefined) messages.push(written);
    conversation.push(written ?? said);
  }
}

/** Returns the messages that arrived during the turn; each is added to it once. */
async function takeSteering({
  dependencies: { resumeState },
  request,
}: RunningTurn<Pick<ModelLoopDependencies, "resumeState">>): Promise<readonly string[]> {
  const earlier = resumeState.takeSteering().map(({ text }) => text);
  const fresh = resumeState.isExhausted ? await request.takeSteering?.() : undefined;
  return [...earlier, ...(fresh ?? [])];
}
