import { defined } from "@openclaw/foundation";
import { ModelContextLengthError, type ResolvedModel } from "@openclaw/models";
import type { ToolOutput } from "@openclaw/plugin-sdk/tools";
import type { HeldOutput } from "@openclaw/store";
import type { RequestedCall } from "../context/call.js";
import type { TurnState } from "../context/turn.js";
import { type ModelReply, recordedFailure, recordedReply } from "../journal/model-reply.js";
import type { StepOf } from "../journal/steps.js";
import type { RecordedOutputs } from "../tool-call/execution.js";
import type { RecordedReplies, RecordedRequest } from "../turn/model-call.js";
import { RecordedFailureError, ReplayEndedError } from "./errors.js";
import type { TurnRecording } from "./fixture.js";

type Steps = TurnRecording["steps"];

/** Clock of a replay, set to the time of the current recorded step. */
export class ReplayClock {
  #time: number;

  /** @param time - milliseconds since the epoch */
  constructor(time: number) {
    this.#time = time;
  }

  readonly now = (): number => this.#time;

  /** @param time - milliseconds since the epoch */
  set(time: number): void {
    this.#time = time;
  }
}

/** Returns the recorded replies of models and results of tools to a replayed turn, each once and in order. */
export class ReplayedResponses implements RecordedReplies, RecordedOutputs {
  readonly #steps: Steps;
  readonly #clock: ReplayClock;
  readonly #goesOn: () => Promise<boolean>;
  /** Index after the last returned reply; the steps that follow belong to this reply. */
  #position: number;
  readonly #given = new Set<number>();

  /**
   * @param steps - steps of the recorded run
   * @param clock - clock that is set to the time of each answer
   * @param goesOn - returns true before each reply if the replay matches the recording so far
   */
  constructor(steps: Steps, clock: ReplayClock, goesOn: () => Promise<boolean>) {
    this.#steps = steps;
    this.#clock = clock;
    this.#goesOn = goesOn;
    this.#position = Math.max(
      0,
      steps.findIndex(({ step }) => step.kind === "turn-prepared"),
    );
  }

  next(model: ResolvedModel): RecordedRequest {
    const index = this.#steps.findIndex(
      ({ step }, at) =>
        at > this.#position && (step.kind === "model-answered" || step.kind === "model-failed"),
    );
    const end = this.#steps[index]?.step;
    const request = end && "callId" in end ? this.#requestOf(end.callId) : undefined;
    return {
      ref: request?.model ?? model.ref,
      isReplaced: request !== undefined && this.#isReplaced(request, index),
      reply: () => this.#replyAt(index, model),
    };
  }

  #requestOf(callId: string): StepOf<"model-requested"> | undefined {
    for (const { step } of this.#steps) {
      if (step.kind === "model-requested" && step.callId === callId) return step;
    }
    return undefined;
  }

  /** Returns true if the run made the same request again after its failure. */
  #isReplaced({ digest, purpose }: StepOf<"model-requested">, index: number): boolean {
    const next = this.#steps.slice(index + 1).find(({ step }) => step.kind !== "turn-resumed");
    return (
      this.#steps[index]?.step.kind === "model-failed" &&
      next?.step.kind === "model-requested" &&
      next.step.digest === digest &&
      next.step.purpose === purpose
    );
  }

  async #replyAt(index: number, model: ResolvedModel): Promise<ModelReply> {
    const recorded = this.#steps[index];
    if (recorded === undefined || !(await this.#goesOn())) throw new ReplayEndedError();
    this.#position = index;
    this.#clock.set(recorded.createdAt);
    const { step } = recorded;
    if (step.kind === "model-answered") return recordedReply(step);
    if (step.kind !== "model-failed") throw new ReplayEndedError();
    throw step.error.code === ModelContextLengthError.code
      ? recordedFailure(step, model)
      : new RecordedFailureError(step.error.message);
  }

  async output(
    { toolCallId }: RequestedCall,
    state: Pick<TurnState, "skillTools">,
  ): Promise<ToolOutput> {
    // A call that was denied has an answer, which is not the output of a tool.
    const didRun = this.#ran(toolCallId);
    const answer = this.#answerTo(toolCallId);
    if (answer === undefined || !didRun) throw new ReplayEndedError();
    const { message, terminate, skillTools } = answer;
    const guidanceParts = message.guidanceParts ?? answer.guidanceParts ?? 0;
    if (skillTools !== undefined) state.skillTools = new Set(skillTools);
    // The answer does not contain output that an approver withheld.
    const held = this.#heldOutput(toolCallId);
    if (held !== undefined) return held.result;
    return {
      content: message.content.slice(0, message.content.length - guidanceParts),
      ...defined({ details: message.details }),
      isError: message.isError,
      terminate,
    };
  }

  /** Returns the messages that arrived while the calls of the last reply ran. */
  steering(): StepOf<"message-steered">[] {
    const after = this.#steps.slice(this.#position + 1);
    const end = after.findIndex(({ step }) => step.kind === "model-requested");
    return after
      .slice(0, end === -1 ? undefined : end)
      .flatMap(({ step }) => (step.kind === "message-steered" ? [step] : []));
  }

  /**
   * Returns the approver's next decision about a call or its output; undefined when approval was not requested.
   * @param toolCallId - ID of a call of the last reply
   */
  decision(toolCallId: string): string | undefined {
    const index = this.#steps.findIndex(
      ({ step }, at) =>
        at >= this.#position &&
        step.kind === "approval-decided" &&
        step.toolCallId === toolCallId &&
        !this.#given.has(at) &&
        !this.#isAboutInput(toolCallId, at),
    );
    const recorded = this.#steps[index];
    if (recorded?.step.kind !== "approval-decided") return undefined;
    this.#given.add(index);
    return recorded.step.decision;
  }

  /** Returns true for the decision about an input request, which a replay does not make. */
  #isAboutInput(toolCallId: string, index: number): boolean {
    const asked = this.#steps
      .slice(this.#position, index)
      .findLast(({ step }) => step.kind === "approval-asked" && step.toolCallId === toolCallId);
    return asked?.step.kind === "approval-asked" && asked.step.awaited !== undefined;
  }

  /**
   * Returns true if a call ran without an approval request because a grant or a setting allowed it.
   * @param toolCallId - ID of a call of the last reply
   */
  ranUnasked(toolCallId: string): boolean {
    const own = this.#steps
      .slice(this.#position)
      .filter(({ step }) => "toolCallId" in step && step.toolCallId === toolCallId);
    return own[0]?.step.kind === "tool-intended";
  }

  /** Returns true if the next recorded answer to a call is of a call that ran. */
  #ran(toolCallId: string): boolean {
    const own = this.#steps
      .filter((_, at) => at > this.#position && !this.#given.has(at))
      .flatMap(({ step }) => ("toolCallId" in step && step.toolCallId === toolCallId ? step : []));
    const end = own.findIndex(({ kind }) => kind === "tool-answered");
    return own.slice(0, Math.max(0, end)).some(({ kind }) => kind === "tool-intended");
  }

  #heldOutput(toolCallId: string): HeldOutput | undefined {
    return this.#steps
      .slice(this.#position)
      .flatMap(({ step }) =>
        step.kind === "approval-asked" && step.toolCallId === toolCallId ? (step.held ?? []) : [],
      )[0];
  }

  #answerTo(toolCallId: string): StepOf<"tool-answered"> | undefined {
    const index = this.#steps.findIndex(
      ({ step }, at) =>
        at > this.#position &&
        step.kind === "tool-answered" &&
        step.toolCallId === toolCallId &&
        !this.#given.has(at),
    );
    const recorded = this.#steps[index];
    if (recorded?.step.kind !== "tool-answered") return undefined;
    this.#given.add(index);
    this.#clock.set(recorded.createdAt);
    return recorded.step;
  }
}
