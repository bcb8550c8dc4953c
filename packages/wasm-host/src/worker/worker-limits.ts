import type { ComponentLimits } from "../limits.js";
import type { WorkerLimits } from "./messages.js";

/** Returns the limits that a worker enforces itself. */
export function workerLimits({
  fuel,
  memoryBytes,
  instances,
  tables,
  logLines,
  logBytes,
}: ComponentLimits): WorkerLimits {
  return { fuel, memoryBytes, instances, tables, logLines, logBytes };
}
