import { readWorkerArguments, runWorker } from "@openclaw/jobs/worker";
import type { CommandContext } from "../shell/context.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";

/**
 * Runs `openclaw worker` (HOST-035).
 * @param options - job, URL of the gateway, and number of model calls
 * @param context - terminal and environment, which has the token
 */
export async function workerCommand(
  options: { jobId: string; orchestratorUrl: string; egress?: string; maxIterations: string },
  { environment }: CommandContext,
): Promise<ExitCode> {
  const words = ["--job-id", options.jobId, "--orchestrator-url", options.orchestratorUrl];
  words.push("--max-iterations", options.maxIterations);
  if (options.egress !== undefined) words.push("--egress", options.egress);
  const given = readWorkerArguments(words, environment);
  const stopping = new AbortController();
  process.once("SIGTERM", () => stopping.abort());
  const place = { workspaceDir: process.cwd(), environment, signal: stopping.signal };
  return (await runWorker(given, place)) === 0 ? EXIT.ok : EXIT.negative;
}
