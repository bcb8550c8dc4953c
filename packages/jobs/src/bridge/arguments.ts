import { parseArgs } from "node:util";
import { WorkerFailedError } from "../workers/errors.js";

/** Model calls of an agent without `--max-turns`, and its model without `--model` (JOB-045). */
const TURNS = 50;
const MODEL = "sonnet";

/** Arguments of `openclaw claude-bridge`, and its token. */
export interface BridgeArguments {
  readonly jobId: string;
  /** `http://host:port`, or `unix:` with the path of a socket. */
  readonly orchestratorUrl: string;
  /** Path of the socket of the proxy; undefined without a way to networks. */
  readonly egress: string | undefined;
  /** Path of the program of the agent. */
  readonly program: string;
  /** Folder in which the agent keeps its sessions. */
  readonly configDir: string;
  readonly maxTurns: number;
  readonly model: string;
  /** Session that the run continues. */
  readonly resume: string | undefined;
  readonly token: string;
}

/**
 * Returns the arguments of `openclaw claude-bridge` (HOST-035). The token comes from the environment, from which it is
 * removed.
 * @param words - arguments after `claude-bridge`
 * @throws WorkerFailedError when one is missing
 */
export function readBridgeArguments(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): BridgeArguments {
  const { values } = parseArgs({
    args: [...words],
    options: {
      "job-id": { type: "string" },
      "orchestrator-url": { type: "string" },
      egress: { type: "string" },
      program: { type: "string", default: "claude" },
      "config-dir": { type: "string" },
      "max-turns": { type: "string", default: String(TURNS) },
      model: { type: "string", default: MODEL },
      resume: { type: "string" },
    },
  });
  const { OPENCLAW_WORKER_TOKEN: token, HOME = "/tmp" } = environment;
  delete environment.OPENCLAW_WORKER_TOKEN;
  const { egress, program, model, resume } = values;
  const maxTurns = Number(values["max-turns"]);
  const jobId = values["job-id"];
  const orchestratorUrl = values["orchestrator-url"];
  if (jobId === undefined) throw missing("--job-id");
  if (orchestratorUrl === undefined) throw missing("--orchestrator-url");
  if (token === undefined || token === "") throw missing("the variable OPENCLAW_WORKER_TOKEN");
  if (!Number.isInteger(maxTurns) || maxTurns < 1) {
    throw new WorkerFailedError("--max-turns must be a whole number above 0");
  }
  const configDir = values["config-dir"] ?? `${HOME}/.claude`;
  return { jobId, orchestratorUrl, egress, program, configDir, maxTurns, model, resume, token };
}

function missing(name: string): WorkerFailedError {
  return new WorkerFailedError(
    `${name} is missing; the gateway starts bridges, \`openclaw jobs create --mode claude_code\``,
  );
}
