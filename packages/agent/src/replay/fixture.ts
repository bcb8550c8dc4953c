import { defined } from "@openclaw/foundation";
import type { AgentMessage } from "@openclaw/plugin-sdk/tools";
import {
  isJournalStep,
  type JournalEntry,
  type ShownHistory,
  type Store,
  type Turn,
} from "@openclaw/store";
import { isRecordedRequest, type RecordedRequest } from "../journal/turn-request.js";
import { RunNotReplayableError } from "./errors.js";

const FORMAT = 1;

/** A message at its place in a transcript. */
export interface PlacedMessage {
  readonly seq: number;
  readonly message: AgentMessage;
}

/** A run with everything that a replay needs, as one JSON document. */
export interface TurnRecording {
  readonly format: typeof FORMAT;
  readonly runId: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
  readonly request: RecordedRequest;
  /** The earlier conversation as sent to the model; a summary replaces its oldest part. */
  readonly summary?: NonNullable<ShownHistory["summary"]>;
  readonly history: readonly PlacedMessage[];
  /** The steps of the run, in order. */
  readonly steps: readonly Pick<JournalEntry, "seq" | "step" | "createdAt">[];
  /** Messages that the run wrote to the transcript. */
  readonly messages: readonly PlacedMessage[];
}

/**
 * Reads a run from its store, up to its last recorded step.
 * @param turn - the stored turn
 * @param store - store with the journal and the transcript
 * @throws RunNotReplayableError when data that a replay needs was never recorded or has been removed
 */
export async function recordTurn(
  {
    runId,
    agentId,
    sessionKey,
    sessionId,
  }: Pick<Turn, "runId" | "agentId" | "sessionKey" | "sessionId">,
  { turns: { journal }, messages: { transcript } }: Pick<Store, "turns" | "messages">,
): Promise<TurnRecording> {
  const entries = await journal.load(runId);
  if (entries.length === 0) throw new RunNotReplayableError(runId, NEVER_BEGAN);
  const prepared = entries.map(({ step }) => step).find((step) => step.kind === "turn-prepared");
  const request = prepared?.asked;
  if (prepared === undefined || !isRecordedRequest(request)) {
    throw new RunNotReplayableError(runId, NOT_KEPT);
  }
  const { summary, entries: shown } = prepared.history;
  const written = entries.flatMap(({ step }) => (step.kind === "message-stored" ? [step.seq] : []));
  const [first] = written;
  const range = (from: number, to: number) =>
    transcript.load(sessionId, { afterSeq: from - 1, beforeSeq: to + 1, asSeenBy: first });
  const history = shown === undefined ? [] : await range(shown.from, shown.to);
  const own = first === undefined ? [] : await range(first, written.at(-1) ?? first);
  const places = new Set(written);
  const messages = own.filter(({ seq }) => places.has(seq)).map(placed);
  if (messages.length < places.size) throw new RunNotReplayableError(runId, TRANSCRIPT_GONE);
  return {
    format: FORMAT,
    runId,
    agentId,
    sessionKey,
    sessionId,
    request,
    ...defined({ summary }),
    history: history.map(placed),
    steps: entries.map(({ seq, step, createdAt }) => ({ seq, step, createdAt })),
    messages,
  };
}

/**
 * Reads a recording that was written to a file.
 * @param value - parsed JSON of the file
 * @throws RunNotReplayableError when the value is not a recording or was made by a newer version of the
 *   product
 */
export function readRecording(value: unknown): TurnRecording {
  const { format, runId, request, steps, history, messages } = Object(value) as {
    readonly [Field in keyof TurnRecording]?: unknown;
  };
  const name = typeof runId === "string" ? runId : "of the file";
  if (format !== FORMAT) {
    throw new RunNotReplayableError(name, {
      problem: `the recording has format ${JSON.stringify(format)}, and this version reads ${FORMAT}`,
      nextStep: "replay it with the version that recorded it",
    });
  }
  const isWhole =
    isRecordedRequest(request) &&
    [history, messages].every(Array.isArray) &&
    Array.isArray(steps) &&
    steps.every((each) => isJournalStep(Object(each).step));
  if (isWhole) return value as TurnRecording;
  throw new RunNotReplayableError(name, {
    problem: "the recording lacks its request, or contains invalid steps",
    nextStep: "record the run again",
  });
}

function placed({ seq, message }: PlacedMessage): PlacedMessage {
  return { seq, message };
}

const NEVER_BEGAN = {
  problem: "it took no step, or its steps were removed after the retention period",
  nextStep: "store.retention.journalDays says how long they are kept",
};
const NOT_KEPT = {
  problem: "its journal does not contain its input",
  nextStep:
    "a message that the gate blocked is never kept; any other, send again and replay that run",
};
const TRANSCRIPT_GONE = {
  problem: "messages that it wrote are no longer in the transcript",
  nextStep: "replay a run of a conversation that is still stored",
};
