import {
  flippedCalls,
  type ReplayReport,
  recordTurn,
  stepDifferences,
  type WholeReplay,
} from "@openclaw/agent";
import { checkedDocument, parseConfigurationDocument } from "@openclaw/configuration";
import { Mutex } from "@openclaw/foundation";
import { type GatewayMethodResult, runReplayMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import { RunNotFoundError } from "../errors.js";
import type { ReplayOptions } from "./run-replay.js";

/** Changes to replay a run with. */
type Changes = Partial<Pick<ReplayOptions, "configuration" | "disabledPlugins">>;

/** Dependencies of {@link createRunReplayMethods}. */
export interface RunReplayMethodDependencies {
  readonly store: Pick<Store, "turns" | "messages">;
  /** Returns the plugins, the policy and the configuration of now. */
  replayOptions(): ReplayOptions;
}

/** Number of differences that are returned. */
const MOST_DIFFERENCES = 200;

/**
 * Creates the methods that replay runs. A replay loads plugins a second time, so one runs at a time.
 * @param dependencies - store, and what a replay runs with
 */
export function createRunReplayMethods({
  store,
  replayOptions,
}: RunReplayMethodDependencies): MethodRegistry<typeof runReplayMethods> {
  const order = new Mutex();
  const recordingOf = async (runId: string) => {
    const turn = await store.turns.get(runId);
    if (turn === undefined) throw new RunNotFoundError(runId);
    return await recordTurn(turn, store);
  };
  const replayWhole = async (recording: object, changes: Changes): Promise<WholeReplay> => {
    const { replayWholeRun } = await import("./run-replay.js");
    return await replayWholeRun(recording, { ...replayOptions(), ...changes });
  };
  return MethodRegistry.of(runReplayMethods, {
    "run.replay": async ({ runId }) => {
      const recording = await recordingOf(runId);
      const { replayRun } = await import("./run-replay.js");
      return reportOf(await order.run(() => replayRun(recording, replayOptions())));
    },
    "run.whatIf": async ({ runId, configuration, disabledPlugins }) => {
      const changes: Changes = {
        ...(disabledPlugins && { disabledPlugins }),
        // Without includes and variables, which a client could use to read files and variables of this host.
        ...(configuration && {
          configuration: await checkedDocument(
            parseConfigurationDocument(configuration.text, configuration.file),
          ),
        }),
      };
      const recording = await recordingOf(runId);
      const [before, after] = await order.run(async () => [
        await replayWhole(recording, {}),
        await replayWhole(recording, changes),
      ]);
      return {
        baseline: reportOf(before.report),
        steps: before.steps.length,
        flips: flippedCalls(before.steps, after.steps),
        differences: stepDifferences(before.steps, after.steps).slice(0, MOST_DIFFERENCES),
      };
    },
  });
}

function reportOf(report: ReplayReport): GatewayMethodResult<"run.replay"> {
  return { ...report };
}
