import type { TurnOutcome } from "@openclaw/agent";
import type { Store, Turn } from "@openclaw/store";
import type { ApprovalWaits } from "./approval-wait.js";
import { loadTurnInput, type TurnInput } from "./input.js";
import { type AgentRuns, onlyCaller } from "./run.js";
import type { QueuedTurn } from "./session-queues.js";

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
   * @throws store errors
   */
  async execute(queued: QueuedTurn): Promise<ExecutedTurn> {
    const { store, runs, waits } = this.#dependencies;
    const { runId, state } = queued.turn;
    // Load the stored turn, because other messages may have been merged into it since it was queued.
    const turn = await store.turns.begin(runId, { resume: state !== "queued" });
    const input = await loadTurnInput(turn, store);
    let held = runs.hold();
    try {
      for (;;) {
        const outcome = await runs.run(turn, input, queued, held);
        if (outcome.status !== "paused") return { turn, input, outcome };
        await store.turns.pause(runId);
        const { approvalId } = outcome;
        const end = await queued.pause(() =>
          waits.wait(approvalId, runId, queued.signal, onlyCaller(queued)?.signal),
        );
        if (end === "suspend") return { turn, input, outcome };
        await store.turns.begin(runId, { resume: true });
        if (held.pin.isWhole()) continue;
        held.pin.release();
        held = runs.hold();
      }
    } finally {
      held.pin.release();
    }
  }
}
