import type { HostLayers } from "./host-layers.js";

/**
 * Resumes the work that an earlier process left.
 * @param layers - layers of the host
 * @returns number of resumed turns
 */
export async function resumeEarlierWork({
  context,
  lower,
  messaging,
  channels,
  jobs,
  routines,
}: Pick<
  HostLayers,
  "context" | "lower" | "messaging" | "channels" | "jobs" | "routines"
>): Promise<number> {
  await messaging.live.loadSettings(context.store);
  await channels.prepare();
  messaging.attendTargets();
  await jobs.prepare();
  const recovered = await messaging.flow.recover();
  await lower.approvals.start();
  await messaging.subagents.recover();
  await jobs.recover();
  await routines.recover();
  return recovered;
}

/**
 * Prepares a host for single calls of methods: it resumes no turn.
 * @param layers - layers of the host
 */
export async function prepareForCalls({
  context,
  lower,
  messaging,
  channels,
}: Pick<HostLayers, "context" | "lower" | "messaging" | "channels">): Promise<void> {
  await messaging.live.loadSettings(context.store);
  await channels.prepare();
  await lower.approvals.start();
}
