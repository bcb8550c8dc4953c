import { sha256 } from "@openclaw/foundation";
import type { HookMap } from "@openclaw/plugin-sdk/hooks";
import { type AgentMessage, type AssistantMessage, messageText } from "@openclaw/plugin-sdk/tools";
import type { RunningTurn } from "../context/turn.js";
import type { Counters } from "../counters.js";
import type { ResumeState } from "../journal/resume-state.js";

/** Extra model passes of one turn, over all plugins (TURN-045). */
const MAXIMUM_PASSES = 3;

/** Passes that one revision request gets unless it sets `maxAttempts`. */
const DEFAULT_ATTEMPTS = 1;

const WITHOUT_REASON = "Revise this answer before it is given.";

/** Dependencies of {@link createAnswerRevisions}. */
export interface RevisionDependencies {
  readonly counters: Pick<Counters, "increase">;
  readonly resumeState: Pick<ResumeState, "takeRevision">;
}

/** A revision of the answer that plugins ask for. */
export interface Revision {
  /** Instruction to the model. */
  readonly instruction: string;
  /** Keys under which the passes of the granted requests are counted. */
  readonly keys: readonly string[];
}

/** Revisions that plugins request for the answers of one turn. */
export interface AnswerRevisions {
  /**
   * Passes an answer to `before_agent_finalize` (TURN-044), unless a recorded step already requested its
   * revision.
   * @param answer - a natural final answer of the model
   * @param conversation - messages before the answer
   * @returns the requested revision; undefined when the answer is accepted
   * @throws PluginHookExecutionError when a `fail-closed` handler fails (HCR-004)
   */
  ask(
    answer: AssistantMessage,
    conversation: readonly AgentMessage[],
  ): Promise<Revision | undefined>;
}

interface RevisionRequest {
  readonly pluginId: string;
  /** Plugin and the request's own key, under which its passes are counted. */
  readonly key: string;
  readonly maxAttempts: number;
  readonly text: string;
}

/** Creates the revisions of one turn, which count the passes of each request (TURN-045, HCR-012). */
export function createAnswerRevisions(turn: RunningTurn<RevisionDependencies>): AnswerRevisions {
  const passes = new Map<string, number>();
  let extraPasses = 0;
  let attempt = 0;

  const isGranted = ({ key, maxAttempts }: RevisionRequest) =>
    extraPasses < MAXIMUM_PASSES && (passes.get(key) ?? 0) < maxAttempts;

  function grant(keys: readonly string[]): void {
    for (const key of keys) passes.set(key, (passes.get(key) ?? 0) + 1);
    extraPasses += 1;
  }

  return {
    async ask(answer, conversation) {
      attempt += 1;
      const earlier = turn.dependencies.resumeState.takeRevision();
      if (earlier !== undefined) {
        grant(earlier.keys);
        return earlier;
      }
      const { runId, sessionId, sessionKey, workspaceDir, signal } = turn.request;
      const { contributions } = await turn.pin.hooks.detailed(
        "before_agent_finalize",
        {
          runId,
          sessionId,
          sessionKey,
          provider: answer.provider,
          model: answer.model,
          cwd: workspaceDir,
          attempt,
          stopHookActive: attempt > 1,
          lastAssistantMessage: messageText(answer),
          messages: [...conversation, answer],
        },
        turn.state.hookContext,
        { signal },
      );
      if (contributions.some(({ result }) => result.action === "finalize")) return undefined;
      const requests = contributions.flatMap(({ registration, result }) =>
        result.action === "revise" ? [requestOf(registration.owner, result)] : [],
      );
      const granted = requests.filter(isGranted);
      if (granted.length < requests.length)
        turn.dependencies.counters.increase("finalize_retry_exhausted_total");
      if (granted.length === 0) return undefined;
      const keys = [...new Set(granted.map(({ key }) => key))];
      grant(keys);
      const instruction = granted
        .map(({ pluginId, text }) => `[Revision asked by plugin "${pluginId}"]\n${text}`)
        .join("\n\n");
      return { instruction, keys };
    },
  };
}

type Verdict = Partial<HookMap["before_agent_finalize"]["result"]>;

function requestOf(pluginId: string, { reason = "", retry }: Verdict): RevisionRequest {
  const instruction = retry?.instruction ?? "";
  const text = [reason, instruction].filter((part) => part !== "").join("\n") || WITHOUT_REASON;
  const named = retry?.idempotencyKey;
  const key = named ?? sha256(instruction || text);
  return {
    pluginId,
    key: JSON.stringify([pluginId, named === undefined ? "hash" : "key", key]),
    maxAttempts: retry?.maxAttempts ?? DEFAULT_ATTEMPTS,
    text,
  };
}
