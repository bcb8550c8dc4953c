import type { GatewayMethodResult } from "@openclaw/protocol";
import { signal } from "@preact/signals";
import { type Fault, faultOf } from "../../../state/fault.js";
import { call } from "../../../state/link.js";

/** Replay of a run, as far as it is. */
export interface RunReplay {
  readonly runId: string;
  readonly report?: GatewayMethodResult<"run.replay"> | undefined;
  readonly fault?: Fault | undefined;
}

/** The replay that was asked for last. */
export const replay = signal<RunReplay | undefined>(undefined);

/** Replays a run with nothing changed. */
export async function replayRun(runId: string): Promise<void> {
  const started = { runId };
  replay.value = started;
  const ended = await call("run.replay", { runId }).then(
    (report) => ({ runId, report }),
    (error: unknown) => ({ runId, fault: faultOf(error) }),
  );
  // Another one was asked for in the meantime.
  if (replay.value === started) replay.value = ended;
}
