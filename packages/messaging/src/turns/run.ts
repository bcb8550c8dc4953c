import {
  runTurn,
  type TurnDependencies,
  type TurnOutcome,
  type TurnRequest,
} from "@openclaw/agent";
import type { PluginPin, PluginRuntime } from "@openclaw/plugin-runtime";
import type { Turn } from "@openclaw/store";
import type { Caller } from "../messages/inbound.js";
import type { QueuedTurn } from "../sessions/session-queues.js";
import type { SessionStates } from "../sessions/states.js";
import { agentPin } from "./agent-pin.js";
import type { TurnInput } from "./input.js";
import type { TurnRequests } from "./request.js";
import { followSignals } from "./signal.js";

/** Plugins and services that a turn keeps from its start to its end (TURN-012). */
export interface HeldGeneration {
  readonly pin: PluginPin;
  readonly services: TurnDependencies;
}

/** A turn that has begun. */
export interface StartedTurn {
  /** As stored when it began. */
  readonly turn: Turn;
  readonly input: TurnInput;
  readonly conclude: TurnRequest["conclude"];
  /** Keeps the harness of the turn until the turn has ended. */
  readonly harnessRun: TurnRequest["harnessRun"];
}

/** Dependencies of {@link AgentRuns}. */
export interface AgentRunsDependencies {
  readonly plugins: Pick<PluginRuntime, "pin" | "mayAddToPrompts" | "fireEvent" | "handlesEvent">;
  /** Returns the services for turns that start now. */
  services(): TurnDependencies;
  readonly sessionStates: Pick<SessionStates, "hold">;
  readonly requests: TurnRequests;
}

/** Runs agents for turns. */
export class AgentRuns {
  readonly #dependencies: AgentRunsDependencies;
  readonly #signal: AbortSignal;

  /**
   * @param dependencies - plugins, services, session states and requests
   * @param signal - aborts when the host stops
   */
  constructor(dependencies: AgentRunsDependencies, signal: AbortSignal) {
    this.#dependencies = dependencies;
    this.#signal = signal;
  }

  /** Holds the current plugins and services for a turn, until the handle is released. */
  hold(): HeldGeneration {
    const { plugins, services } = this.#dependencies;
    return { pin: plugins.pin(), services: services() };
  }

  /**
   * Runs the agent for a turn until the turn ends or waits for approval.
   * @param started - the turn, its input, and what stores its end
   * @param queued - the turn in its queue
   * @param held - plugins and services of the turn
   */
  async run(
    { turn, input, conclude, harnessRun }: StartedTurn,
    queued: QueuedTurn,
    { pin, services }: HeldGeneration,
  ): Promise<TurnOutcome> {
    const { plugins, sessionStates, requests } = this.#dependencies;
    using turnSignal = followSignals(this.#signal, queued.signal, onlyCaller(queued)?.signal);
    const request = await requests.create(turn, input, queued, pin.hooks);
    using _states = await sessionStates.hold(turn.sessionKey, pin.generation);
    const bootstrap = { type: "agent", action: "bootstrap" } as const;
    if (plugins.handlesEvent(bootstrap)) {
      const { sessionKey, sessionId, agentId, runId } = turn;
      const context = { agentId, sessionId, runId, workspaceDir: request.workspaceDir };
      // Fired before the prompt is built; each handler has a deadline.
      await plugins.fireEvent({ ...bootstrap, sessionKey, context });
    }
    const ended = { signal: turnSignal.signal, conclude, harnessRun };
    return await runTurn({ ...request, ...ended }, services, agentPin(pin, plugins));
  }
}

/**
 * Returns the caller of a turn with exactly one; none of several callers may end the turn for the others.
 * @param queued - the turn in its queue
 */
export function onlyCaller({ callers }: QueuedTurn): Caller | undefined {
  return callers.length === 1 ? callers[0] : undefined;
}
