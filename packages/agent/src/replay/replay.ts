import type { ApprovalBroker } from "@openclaw/approval-broker";
import { defined } from "@openclaw/foundation";
import type { ModelCatalog } from "@openclaw/models";
import type { Store } from "@openclaw/store";
import type { Approval } from "@openclaw/store/decisions";
import type { PluginPin } from "../context/plugin-pin.js";
import type { TurnRequest } from "../context/request.js";
import type { TurnDependencies } from "../turn/dependencies.js";
import { runTurn } from "../turn/turn.js";
import type { TurnRecording } from "./fixture.js";
import { type ReplayClock, ReplayedResponses } from "./responses.js";
import { type ComparedStep, comparedSteps, type Divergence, firstDivergence } from "./steps.js";

/** Host of a replay. It shares only plugins, policy and configuration with the real host. */
export interface ReplayHost {
  /** Empty store that is discarded after the replay; its clock is `clock`. */
  readonly store: Store;
  /** Services that use this store and clock. */
  readonly services: TurnDependencies;
  readonly pin: PluginPin;
  readonly clock: ReplayClock;
}

/** Result of a replay. */
export type ReplayReport =
  | { readonly status: "identical"; readonly steps: number }
  | { readonly status: "diverged"; readonly steps: number; readonly divergence: Divergence };

/** A replay that continued after differences, to compare it with another one. */
export interface WholeReplay {
  readonly report: ReplayReport;
  /** Every step that was taken. */
  readonly steps: readonly ComparedStep[];
}

/**
 * Replays a recorded turn: hooks, policy and prompt assembly run, while models and tools give their
 * recorded answers, so that there are no side effects (TURN-057). The turn uses the host's code with a
 * separate store; its steps are compared with the recorded steps up to the first difference.
 * @param recording - the run
 */
export async function replayTurn(
  recording: TurnRecording,
  host: ReplayHost,
): Promise<ReplayReport> {
  return (await repeatTurn(recording, host, "while-identical")).report;
}

/**
 * Replays a recorded turn like {@link replayTurn}, and continues after differences: models give their recorded replies in
 * their order, whatever they are asked (TURN-501).
 * @param recording - the run
 */
export function replayWholeTurn(recording: TurnRecording, host: ReplayHost): Promise<WholeReplay> {
  return repeatTurn(recording, host, "to-the-end");
}

async function repeatTurn(
  recording: TurnRecording,
  { store, services, pin, clock }: ReplayHost,
  extent: "while-identical" | "to-the-end",
): Promise<WholeReplay> {
  const { runId, sessionId, steps } = recording;
  await furnish(recording, store, clock);
  clock.set(steps[0]?.createdAt ?? clock.now());
  const expected = comparedSteps(steps, recording.messages);
  const isWhole = expected.some(({ kind }) => kind === "turn-concluded");
  /** Calls that a grant allowed then, which a replay does not have. */
  const granted = new Set<string>();
  const replayed = async (isOver: boolean, ignored = granted): Promise<ComparedStep[]> => {
    const written = await store.messages.transcript.load(sessionId);
    return comparedSteps(await store.turns.journal.load(runId), written, ignored, isOver);
  };
  const stop = new AbortController();
  const answers = new ReplayedResponses(steps, clock, async () => {
    if (extent === "to-the-end") return true;
    const soFar = await replayed(false);
    return firstDivergence(expected, soFar, { isOver: false, isWhole }) === undefined;
  });
  const request = replayedRequest(recording, answers, store, stop.signal);
  const replaying: TurnDependencies = {
    ...services,
    models: replayedModels(recording, services.models),
    recordedReplies: answers,
    recordedOutputs: answers,
    recordedMentions: { text: recording.request.mentioned },
  };
  const replayedPin = replayedMemory(recording, pin);
  let outcome = await runTurn(request, replaying, replayedPin);
  while (outcome.status === "paused") {
    const approval = await store.decisions.approvals.get(outcome.approvalId);
    if (approval === undefined) break;
    const { toolCallId = "", kind } = approval;
    const isAboutOutput = (await store.turns.journal.load(runId)).some(
      ({ step }) => step.kind === "approval-asked" && step.held?.approvalId === approval.id,
    );
    const isGranted = !isAboutOutput && kind !== "plugin" && answers.ranUnasked(toolCallId);
    if (isGranted) granted.add(toolCallId);
    const decision = isGranted ? "allow-once" : answers.decision(toolCallId);
    if (decision === undefined) break;
    await settle(approval, decision, replaying, clock);
    outcome = await runTurn(request, replaying, replayedPin);
  }
  const divergence = firstDivergence(expected, await replayed(true), { isOver: true, isWhole });
  const report: ReplayReport =
    divergence === undefined
      ? { status: "identical", steps: expected.length }
      : { status: "diverged", steps: expected.length, divergence };
  return { report, steps: await replayed(true, new Set()) };
}

/** Writes to the store the data that the recorded turn read from it. */
async function furnish(
  { sessionKey, sessionId, agentId, summary, history, request }: TurnRecording,
  store: Store,
  clock: ReplayClock,
): Promise<void> {
  await store.sessions.open(sessionKey, { agentId, sessionId });
  if (summary !== undefined) {
    clock.set(summary.at);
    await store.messages.compactions.record({
      sessionId,
      upToSeq: 0,
      strategy: "summarise",
      summary: summary.text,
      compactedCount: 0,
    });
  }
  for (const { message } of history) await store.messages.transcript.append({ sessionId, message });
  for (const { pluginId, text, placement, metadata } of request.injections) {
    await store.sessions.injections.enqueue(pluginId, {
      sessionKey,
      text,
      placement,
      ...defined({ metadata }),
    });
  }
}

function replayedRequest(
  recording: TurnRecording,
  answers: ReplayedResponses,
  store: Store,
  signal: AbortSignal,
): TurnRequest {
  const { runId, agentId, sessionKey, sessionId } = recording;
  const {
    isAttended,
    injections: _injections,
    recalled: _recalled,
    recallProblem: _recallProblem,
    mentioned: _mentioned,
    ...asked
  } = recording.request;
  return {
    ...asked,
    // Versions that recorded no extent had the last text as the reply, which could be empty.
    reply: asked.reply ?? "last",
    mayBeEmpty: asked.reply === undefined,
    runId,
    agentId,
    sessionKey,
    sessionId,
    signal,
    isAttended: () => isAttended,
    async takeSteering() {
      const steps = answers.steering();
      for (const step of steps) await store.turns.journal.append({ runId, step });
      return steps.map(({ text }) => text);
    },
    onEvent: () => undefined,
  };
}

/** Returns a catalog that also accepts models without an API key, since no model is called. */
function replayedModels({ request, steps }: TurnRecording, models: ModelCatalog): ModelCatalog {
  const used = new Set([
    request.model,
    ...steps.flatMap(({ step }) =>
      step.kind === "model-requested" || step.kind === "turn-prepared" ? [step.model] : [],
    ),
  ]);
  return {
    ...models,
    async resolve(ref) {
      try {
        return await models.resolve(ref);
      } catch (error) {
        const [provider, ...rest] = ref.split("/");
        if (!used.has(ref) || provider === undefined || rest.length === 0) throw error;
        const modelId = rest.join("/");
        return { ref, provider, modelId, paid: false, model: neverAsked(provider, modelId) };
      }
    },
  };
}

function neverAsked(provider: string, modelId: string) {
  const refuse = async (): Promise<never> => {
    throw new Error(`model ${provider}/${modelId} must not be asked in a replay`);
  };
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: refuse,
    doStream: refuse,
  } as const;
}

/** A recorded result needs no time. */
const REPLAY_DEADLINE_MS = 2000;

function replayedMemory({ request: { recalled } }: TurnRecording, pin: PluginPin): PluginPin {
  if (recalled === undefined) return { ...pin, memory: undefined };
  const pluginId = pin.memory?.pluginId ?? "recording";
  return {
    ...pin,
    memory: {
      pluginId,
      deadlineMs: REPLAY_DEADLINE_MS,
      search: async () => [...recalled],
      // A replay stores nothing, and takes the same steps as the recorded turn.
      archive: pin.memory?.archive && (async () => undefined),
    },
  };
}

/** Sender whose decisions settle approval requests in a replay. */
const RECORDING = { channel: "replay", senderId: "recording", isOwner: true };

/** Settles an approval request with the recorded decision. */
async function settle(
  { id, expiresAt, runId = "" }: Approval,
  decision: string,
  { approvals }: { readonly approvals: ApprovalBroker },
  clock: ReplayClock,
): Promise<void> {
  switch (decision) {
    case "allow-once":
    case "allow-always":
    case "deny":
      await approvals.decide(id, { decision, via: "replay" }, RECORDING);
      break;
    case "timeout":
      clock.set(expiresAt + 1);
      await approvals.expire();
      break;
    default:
      await approvals.cancelFor({ runId }, "replay");
  }
}
