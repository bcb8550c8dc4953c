import { parseArgs } from "node:util";
import { WorkerFailedError } from "../workers/errors.js";

/** Model calls of a worker without `--max-iterations` (JOB-043). */
const ITERATIONS = 50;

/** Arguments of `openclaw worker`, and its token. */
export interface WorkerArguments {
  readonly jobId: string;
  /** `http://host:port`, or `unix:` with the path of a socket. */
  readonly orchestratorUrl: string;
  readonly maxIterations: number;
  /** Path of the socket of the proxy; undefined without a way to networks. */
  readonly egress: string | undefined;
  readonly token: string;
}

/**
 * Returns the arguments of `openclaw worker` (HOST-035). The token comes from the environment, from which it is removed, so
 * that commands of the worker do not inherit it.
 * @param words - arguments after `worker`
 * @throws WorkerFailedError when one is missing
 */
export function readWorkerArguments(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): WorkerArguments {
  const { values } = parseArgs({
    args: [...words],
    options: {
      "job-id": { type: "string" },
      "orchestrator-url": { type: "string" },
      egress: { type: "string" },
      "max-iterations": { type: "string", default: String(ITERATIONS) },
    },
  });
  const { OPENCLAW_WORKER_TOKEN: token } = environment;
  delete environment.OPENCLAW_WORKER_TOKEN;
  const jobId = values["job-id"];
  const orchestratorUrl = values["orchestrator-url"];
  const maxIterations = Number(values["max-iterations"]);
  if (jobId === undefined) throw missing("--job-id");
  if (orchestratorUrl === undefined) throw missing("--orchestrator-url");
  if (token === undefined || token === "") throw missing("the variable OPENCLAW_WORKER_TOKEN");
  if (!Number.isInteger(maxIterations) || maxIterations < 1) {
    throw new WorkerFailedError("--max-iterations must be a whole number above 0");
  }
  return { jobId, orchestratorUrl, maxIterations, egress: values.egress, token };
}

function missing(name: string): WorkerFailedError {
  return new WorkerFailedError(
    `${name} is missing; the gateway starts workers, \`openclaw jobs create --mode sandboxed\``,
  );
}
