import type { HostLayers } from "./host-layers.js";

/** Layers that have work of an earlier process. */
type WorkingLayers = Pick<
  HostLayers,
  "context" | "lower" | "messaging" | "channels" | "jobs" | "routines"
>;

/**
 * Resumes the work that an earlier process left. A node that another one leads leaves it to that one.
 * @param layers - layers of the host
 * @param isLeading - false for a node that another one leads
 * @returns number of resumed turns
 */
export async function resumeEarlierWork(
  layers: WorkingLayers,
  isLeading: boolean,
): Promise<number> {
  const { context, messaging, channels } = layers;
  await messaging.live.loadSettings(context.store);
  if (!isLeading) {
    context.tasks.standBy(true);
    await channels.suspend(true);
  }
  await channels.prepare();
  messaging.attendTargets();
  if (isLeading) return await takeUpWork(layers);
  await messaging.authentication.load();
  return 0;
}

/**
 * Takes up the work of an earlier process, or of a node that led before (SCALE-017).
 * @param layers - layers of the host
 * @returns number of resumed turns
 */
export async function takeUpWork({
  lower,
  messaging,
  jobs,
  routines,
}: WorkingLayers): Promise<number> {
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
