import {
  HarnessRun,
  runTurn,
  type TurnDependencies,
  type TurnOutcome,
  type TurnRequest,
} from "@openclaw/agent";
import type { PluginPin, PluginRuntime } from "@openclaw/plugin-runtime";
import type { Store, Turn } from "@openclaw/store";
import type { QueuedTurn } from "../sessions/queued-turn.js";
import type { SessionStates } from "../sessions/states.js";
import { agentPin } from "./agent-pin.js";
import type { ApprovalWaits } from "./approval-wait.js";
import { loadTurnInput, type TurnInput } from "./input.js";
import type { TurnRequests } from "./request.js";
import { followSignals } from "./signal.js";

/** Dependencies of {@link TurnExecution}. */
export interface TurnExecutionDependencies {
  readonly store: Pick<Store, "messages" | "turns">;
  readonly plugins: Pick<PluginRuntime, "pin" | "mayAddToPrompts" | "fireEvent" | "handlesEvent">;
  /** Returns the services for turns that start now. */
  services(): TurnDependencies;
  readonly sessionStates: Pick<SessionStates, "hold">;
  readonly requests: TurnRequests;
  readonly waits: Pick<ApprovalWaits, "wait">;
}

/** Plugins and services that a turn keeps from its start to its end (TURN-012). */
interface HeldGeneration {
  readonly pin: PluginPin;
  readonly services: TurnDependencies;
}

/** A turn that has begun. */
interface StartedTurn {
  /** As stored when it began. */
  readonly turn: Turn;
  readonly input: TurnInput;
  /** Keeps the harness of the turn until the turn has ended. */
  readonly harnessRun: HarnessRun;
  readonly conclude: ConcludeTurn;
}

/** Executed turn, with its state at the start. */
export interface ExecutedTurn {
  readonly turn: Turn;
  readonly input: TurnInput;
  readonly outcome: TurnOutcome;
}

/**
 * Stores the end of a turn.
 * @param turn - as stored when it began
 * @param write - last writes of the run, for the same transaction
 */
export type ConcludeTurn = (
  turn: Turn,
  input: TurnInput,
  ...end: Parameters<NonNullable<TurnRequest["conclude"]>>
) => Promise<void>;

/** Executes turns, including their waits for approval. */
export class TurnExecution {
  readonly #dependencies: TurnExecutionDependencies;
  readonly #signal: AbortSignal;

  /**
   * @param dependencies - store, plugins, services, session states, requests and waits for approval
   * @param signal - aborts when the host stops
   */
  constructor(dependencies: TurnExecutionDependencies, signal: AbortSignal) {
    this.#dependencies = dependencies;
    this.#signal = signal;
  }

  /**
   * Executes a turn until it ends or the host stops. A turn that waits for approval stays the same run; other
   * turns use its place during the wait.
   * @param queued - the turn in its queue
   * @param conclude - stores its end
   * @throws store errors
   */
  async execute(queued: QueuedTurn, conclude: ConcludeTurn): Promise<ExecutedTurn> {
    const { store, waits } = this.#dependencies;
    const { runId } = queued.turn;
    let turn = await this.#begin(queued);
    const input = await loadTurnInput(turn, store);
    let held = this.#hold();
    // A harness waits with its turn for approval.
    using harnessRun = new HarnessRun();
    try {
      for (;;) {
        const outcome = await this.#run({ turn, input, harnessRun, conclude }, queued, held);
        if (outcome.status !== "paused") return { turn, input, outcome };
        await store.turns.pause(runId);
        const { approvalId } = outcome;
        const end = await queued.pause(() =>
          waits.wait(approvalId, runId, queued.signal, queued.onlyCaller?.signal),
        );
        if (end === "suspend") return { turn, input, outcome };
        turn = await store.turns.begin(runId, { resume: true });
        if (held.pin.isWhole()) continue;
        held.pin.release();
        held = this.#hold();
      }
    } finally {
      held.pin.release();
    }
  }

  /** Holds the current plugins and services for a turn, until the pin is released. */
  #hold(): HeldGeneration {
    const { plugins, services } = this.#dependencies;
    return { pin: plugins.pin(), services: services() };
  }

  /** Returns the stored turn, because other messages may have been merged into it since it was queued. */
  async #begin({ turn, hasBegun }: QueuedTurn): Promise<Turn> {
    if (hasBegun) return turn;
    return this.#dependencies.store.turns.begin(turn.runId, { resume: turn.state !== "queued" });
  }

  /** Runs the agent until the turn ends or waits for approval. */
  async #run(
    { turn, input, harnessRun, conclude }: StartedTurn,
    queued: QueuedTurn,
    { pin, services }: HeldGeneration,
  ): Promise<TurnOutcome> {
    const { plugins, sessionStates, requests } = this.#dependencies;
    using stop = followSignals(this.#signal, queued.signal, queued.onlyCaller?.signal);
    const request = await requests.create(turn, input, queued, pin.hooks);
    using _states = await sessionStates.hold(turn.sessionKey, pin.generation);
    const bootstrap = { type: "agent", action: "bootstrap" } as const;
    if (plugins.handlesEvent(bootstrap)) {
      const { sessionKey, sessionId, agentId, runId } = turn;
      const context = { agentId, sessionId, runId, workspaceDir: request.workspaceDir };
      // Fired before the prompt is built; each handler has a deadline.
      await plugins.fireEvent({ ...bootstrap, sessionKey, context });
    }
    const ending = { signal: stop.signal, conclude: conclude.bind(undefined, turn, input) };
    const run = { ...request, ...ending, harnessRun };
    return await runTurn(run, services, agentPin(pin, plugins));
  }
}
