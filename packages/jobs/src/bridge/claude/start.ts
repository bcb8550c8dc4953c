import { open } from "node:fs/promises";
import { openEgress, openRelay } from "../../worker/egress.js";
import { type BridgeArguments, readBridgeArguments } from "../arguments.js";
import { runBridge } from "../run.js";
import { createClaudeAgent } from "./agent.js";

const SYSTEM =
  "You work on a background job in a sandbox: no user reads along or answers. The workspace is a copy, whose changes a person reviews afterwards. Your last message is the result, and is delivered to the person who asked; make it complete and self-contained.";
const SOCKET = "unix:";

/**
 * Runs `openclaw claude-bridge` (HOST-035): the program Claude Code in the current folder, with the models of the host.
 * @param words - arguments after `claude-bridge`
 * @param environment - environment of the process, with the token
 * @returns the exit code of the process
 * @throws WorkerFailedError when an argument is missing
 */
export async function runClaudeBridge(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  const given = readBridgeArguments(words, environment);
  const { egress, program, configDir, maxTurns, token, model: name } = given;
  const network = egress === undefined ? {} : await openEgress(egress);
  const agent = createClaudeAgent({
    ...{ program, configDir, maxTurns, system: SYSTEM, workdir: process.cwd() },
    isScript: await isScript(program),
    environment: { ...environment, ...network },
    model: { name, key: token, url: await modelUrl(given) },
  });
  const stopping = new AbortController();
  process.once("SIGTERM", () => stopping.abort());
  return await runBridge(given, agent, { signal: stopping.signal });
}

/** Returns the URL of the Messages API of the host, below which Claude Code adds the version. */
async function modelUrl({ orchestratorUrl, jobId }: BridgeArguments): Promise<string> {
  const base = orchestratorUrl.startsWith(SOCKET)
    ? `http://127.0.0.1:${await openRelay(orchestratorUrl.slice(SOCKET.length))}`
    : orchestratorUrl.replace(/\/+$/, "");
  return `${base}/worker/${encodeURIComponent(jobId)}/anthropic`;
}

/** Returns true for a program of Node; a name without a folder is found by the system. */
async function isScript(program: string): Promise<boolean> {
  if (!program.includes("/")) return false;
  const file = await open(program);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(2) });
    return buffer.subarray(0, bytesRead).toString("latin1") === "#!";
  } finally {
    await file.close();
  }
}
