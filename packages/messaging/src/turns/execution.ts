import { HarnessRun, type TurnOutcome, type TurnRequest } from "@openclaw/agent";
import type { Store, Turn } from "@openclaw/store";
import type { QueuedTurn } from "../sessions/session-queues.js";
import type { ApprovalWaits } from "./approval-wait.js";
import { loadTurnInput, type TurnInput } from "./input.js";
import { type AgentRuns, onlyCaller } from "./run.js";

/** Dependencies of {@link TurnExecution}. */
export interface TurnExecutionDependencies {
  readonly store: Pick<Store, "messages" | "turns">;
  readonly runs: AgentRuns;
  readonly waits: Pick<ApprovalWaits, "wait">;
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
 * @param input - its input
 * @param outcome - its outcome
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

  /** @param dependencies - store, agent runs and waits for approval */
  constructor(dependencies: TurnExecutionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Executes a turn until it ends or the host stops. A turn that waits for approval stays the same run; other
   * turns use its place during the wait.
   * @param queued - the turn in its queue
   * @param conclude - stores its end
   * @throws store errors
   */
  async execute(queued: QueuedTurn, conclude: ConcludeTurn): Promise<ExecutedTurn> {
    const { store, runs, waits } = this.#dependencies;
    const { runId } = queued.turn;
    let turn = await this.#begin(queued);
    const input = await loadTurnInput(turn, store);
    let held = runs.hold();
    // A harness waits with its turn for approval.
    using harnessRun = new HarnessRun();
    try {
      for (;;) {
        const started = {
          turn,
          input,
          harnessRun,
          conclude: conclude.bind(undefined, turn, input),
        };
        const outcome = await runs.run(started, queued, held);
        if (outcome.status !== "paused") return { turn, input, outcome };
        await store.turns.pause(runId);
        const { approvalId } = outcome;
        const end = await queued.pause(() =>
          waits.wait(approvalId, runId, queued.signal, onlyCaller(queued)?.signal),
        );
        if (end === "suspend") return { turn, input, outcome };
        turn = await store.turns.begin(runId, { resume: true });
        if (held.pin.isWhole()) continue;
        held.pin.release();
        held = runs.hold();
      }
    } finally {
      held.pin.release();
    }
  }

  /** Returns the stored turn, because other messages may have been merged into it since it was queued. */
  async #begin({ turn, hasBegun }: QueuedTurn): Promise<Turn> {
    if (hasBegun) return turn;
    return this.#dependencies.store.turns.begin(turn.runId, { resume: turn.state !== "queued" });
  }
}
