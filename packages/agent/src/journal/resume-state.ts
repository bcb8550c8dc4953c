import type { AgentMessage, JsonObject } from "@openclaw/plugin-sdk/tools";
import type { JournalEntry, Store } from "@openclaw/store";
import type { FinalOutcome } from "../context/event.js";
import type { UnapprovedCall } from "../context/turn.js";
import { TurnRecordError } from "../errors.js";
import { journalSteps, type PathStep, type RequestPurpose, type StepOf } from "./steps.js";
import { callsOf, type RecordedCall } from "./tool-calls.js";

/** A message that was either written to the transcript or dropped by a plugin. */
export type SettledMessage =
  | { readonly status: "stored"; readonly message: AgentMessage }
  | { readonly status: "dropped" };

type RecordedMessage = StepOf<"message-stored"> | StepOf<"message-dropped">;

/**
 * The steps that a run has taken so far, read from its journal. A turn looks up each step here first and
 * uses the recorded result if there is one: no model is called twice for one reply, no tool runs twice, and
 * no hook fires again for a recorded step (TURN-054). Each step is returned once, in the order of the turn.
 */
export class ResumeState {
  readonly #runId: string;
  readonly #path: readonly PathStep[];
  readonly #calls: Map<string, RecordedCall[]>;
  readonly #settled: readonly RecordedMessage[];
  /** The run's messages in the transcript, by their place. */
  readonly #stored: ReadonlyMap<number, AgentMessage>;
  #taken = 0;
  #written = 0;

  /** True if the run has not taken any step. */
  readonly isEmpty: boolean;
  /** The final prompt, once its gate has let it pass. */
  readonly prepared: StepOf<"turn-prepared"> | undefined;
  /** Outcome of the turn; undefined until it ends. */
  readonly conclusion: FinalOutcome | undefined;
  /** True if a model was called for the answer, whatever the result. */
  readonly modelWasAsked: boolean;
  /** Calls that were returned to be reconsidered. */
  readonly reconsidered: readonly string[];
  /** IDs and tools of the calls that were denied because no approver decided about them. */
  readonly unapproved: readonly (readonly [toolCallId: string, call: UnapprovedCall])[];

  /**
   * @param entries - its journal, in order
   * @param stored - its messages in the transcript, by their place
   */
  constructor(
    runId: string,
    entries: readonly JournalEntry[] = [],
    stored: ReadonlyMap<number, AgentMessage> = new Map(),
  ) {
    const steps = entries.map(({ step }) => step);
    this.#runId = runId;
    this.#path = journalSteps(entries);
    this.#calls = callsOf(entries);
    this.#settled = steps.filter(isSettledMessage);
    this.#stored = stored;
    this.isEmpty = entries.length === 0;
    this.prepared = steps.find((step) => step.kind === "turn-prepared");
    this.conclusion = steps.flatMap((step) =>
      step.kind === "turn-concluded" ? [step.outcome as unknown as FinalOutcome] : [],
    )[0];
    this.modelWasAsked = steps.some(
      (step) => step.kind === "model-requested" && step.purpose !== "summary",
    );
    this.reconsidered = steps.flatMap((step) =>
      step.kind === "tool-answered" && step.reconsidered !== undefined ? [step.reconsidered] : [],
    );
    this.unapproved = steps.flatMap((step) =>
      step.kind === "tool-answered" && step.unapproved === true
        ? [
            [
              step.toolCallId,
              { toolName: step.message.toolName, isRefused: step.refused === true },
            ] as const,
          ]
        : [],
    );
  }

  /** Place of the run's first message in the transcript. */
  get firstPlace(): number | undefined {
    return this.#settled.find((step) => step.kind === "message-stored")?.seq;
  }

  /** Messages that the run has written so far. */
  get messages(): AgentMessage[] {
    return this.#settled.flatMap((step) =>
      step.kind === "message-stored" ? [this.#messageAt(step.seq)] : [],
    );
  }

  /** True when no recorded step is left: from here on the turn makes its own decisions. */
  get isExhausted(): boolean {
    return this.#taken === this.#path.length;
  }

  /**
   * Returns the next message that was written or dropped.
   * @param role - role of the message that the turn is about to write
   * @throws TurnRecordError when it was another one
   */
  takeMessage(role: AgentMessage["role"]): SettledMessage | undefined {
    const step = this.#settled[this.#written];
    if (step === undefined) return undefined;
    if (step.role !== role) this.#refuse(`a message of role ${role}`, `one of role ${step.role}`);
    this.#written += 1;
    return step.kind === "message-dropped"
      ? { status: "dropped" }
      : { status: "stored", message: this.#messageAt(step.seq) };
  }

  /**
   * Returns the result of the next model request: its reply, or a failure after which the turn continued.
   * @throws TurnRecordError when the next step is another one
   */
  takeReply(purpose: RequestPurpose): Extract<PathStep, { kind: "reply" | "failure" }> | undefined {
    const next = this.#path[this.#taken];
    if (next === undefined) return undefined;
    const isReply = next.kind === "reply" || next.kind === "failure";
    if (!isReply || next.purpose !== purpose) {
      this.#refuse(`a request for the ${purpose}`, `a ${next.kind}`);
    }
    this.#taken += 1;
    return next;
  }

  /** Returns the next step if it compacted the conversation. */
  takeShortening(): StepOf<"conversation-shortened"> | undefined {
    const next = this.#path[this.#taken];
    if (next?.kind !== "shortening") return undefined;
    this.#taken += 1;
    return next.step;
  }

  /** Returns the next step if plugins requested a revision of the answer with it. */
  takeRevision(): StepOf<"answer-revised"> | undefined {
    const next = this.#path[this.#taken];
    if (next?.kind !== "revision") return undefined;
    this.#taken += 1;
    return next.step;
  }

  /** Returns the next steps that added messages to the turn. */
  takeSteering(): StepOf<"message-steered">[] {
    const steps: StepOf<"message-steered">[] = [];
    for (let next = this.#path[this.#taken]; next?.kind === "steering"; ) {
      steps.push(next.step);
      this.#taken += 1;
      next = this.#path[this.#taken];
    }
    return steps;
  }

  /**
   * Returns the recorded progress of the next call with an ID; undefined when it was neither run nor
   * answered.
   */
  takeCall(toolCallId: string): RecordedCall | undefined {
    return this.#calls.get(toolCallId)?.shift();
  }

  #messageAt(seq: number): AgentMessage {
    const message = this.#stored.get(seq);
    return message ?? this.#refuse(`message ${seq} of its session`, "a deleted message");
  }

  #refuse(expected: string, found: string): never {
    throw new TurnRecordError(this.#runId, expected, found);
  }
}

/**
 * Loads the steps that a run has taken so far.
 * @param run - the run, and the incarnation of its session
 * @param store - journal and transcript
 * @throws JournalTooNewError when a newer version of the product wrote to the journal
 */
export async function loadResumeState(
  { runId, sessionId }: { runId: string; sessionId: string },
  { turns: { journal }, messages: { transcript } }: Pick<Store, "turns" | "messages">,
): Promise<ResumeState> {
  const entries = await journal.load(runId);
  const first = entries.find(({ step }) => step.kind === "message-stored")?.step;
  if (first?.kind !== "message-stored") return new ResumeState(runId, entries);
  const stored = await transcript.load(sessionId, { afterSeq: first.seq - 1 });
  return new ResumeState(runId, entries, new Map(stored.map(({ seq, message }) => [seq, message])));
}

/**
 * Returns the step that records the outcome of a turn.
 * @param outcome - outcome of the turn
 */
export function conclusionStep(outcome: FinalOutcome): StepOf<"turn-concluded"> {
  // The copy gives plain data the type that the compiler requires.
  return { kind: "turn-concluded", outcome: JSON.parse(JSON.stringify(outcome)) as JsonObject };
}

function isSettledMessage(step: JournalEntry["step"]): step is RecordedMessage {
  return step.kind === "message-stored" || step.kind === "message-dropped";
}
