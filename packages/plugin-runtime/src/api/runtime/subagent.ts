import { randomUUID } from "node:crypto";
import { errorMessage } from "@openclaw/foundation";
import type {
  HostAgentPort,
  HostAgentReply,
  RuntimeSubagents,
  SubagentAnswer,
  SubagentRequest,
  SubagentStart,
} from "@openclaw/plugin-sdk/services";
import type { PluginInstance } from "../../instances/instance.js";
import { expectObject, expectText } from "../../registration/check.js";

const DEFAULT_TURN_MS = 600_000;
const LONGEST_TURN_MS = 3_600_000;
/** Number of runs whose outcome is kept. */
const MOST_RUNS = 200;

/** Agents and sessions that `runtime.subagent` needs. */
export type SubagentPort = Required<
  Pick<HostAgentPort, "runAgent" | "sessionMessages" | "deleteSession">
>;

/**
 * Creates `runtime.subagent`, which runs turns of an agent for the plugin.
 * @param host - agents
 */
export function createRuntimeSubagents(
  instance: PluginInstance,
  { runAgent, sessionMessages, deleteSession }: SubagentPort,
): RuntimeSubagents {
  const member = "runtime.subagent.run";
  const runs = new Map<string, Promise<HostAgentReply>>();
  const begin = (request: SubagentRequest | SubagentStart) => {
    instance.assertAlive(member);
    const call = { origin: instance.origin, member };
    expectObject(call, "request", request);
    const task = "message" in request ? request.message : request.task;
    const prompt = expectText(call, "message" in request ? "message" : "task", task);
    const sessionKey = expectText(call, "sessionKey", request.sessionKey);
    const { timeoutMs = DEFAULT_TURN_MS } = request as { timeoutMs?: number };
    const deadline = AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TURN_MS));
    const signal = AbortSignal.any([instance.signal, deadline]);
    const { model } = request as { model?: string };
    const turn = { prompt, sessionKey, signal, ...(model === undefined ? {} : { model }) };
    const runId = randomUUID();
    const reply = runAgent(instance.id, turn).catch(
      (error: unknown): HostAgentReply => ({ status: "failed", text: errorMessage(error) }),
    );
    runs.set(runId, reply);
    const [oldest] = runs.keys();
    if (runs.size > MOST_RUNS && oldest !== undefined) runs.delete(oldest);
    return { runId, sessionKey, reply, deadline };
  };
  function run(request: SubagentStart): Promise<{ readonly runId: string }>;
  function run(request: SubagentRequest): Promise<SubagentAnswer>;
  async function run(
    request: SubagentRequest | SubagentStart,
  ): Promise<SubagentAnswer | { readonly runId: string }> {
    const { runId, sessionKey, reply, deadline } = begin(request);
    if ("message" in request) return { runId };
    const { status, text } = await reply;
    const ended = status === "aborted" && deadline.aborted ? "timed-out" : "failed";
    return { runId, sessionKey, status: status === "completed" ? status : ended, text };
  }
  return {
    run,
    async waitForRun({ runId, timeoutMs = DEFAULT_TURN_MS }) {
      const reply = runs.get(runId);
      if (reply === undefined) return { status: "error", error: `run ${runId} is not known` };
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), timeoutMs);
      });
      const settled = await Promise.race([reply, late]).finally(() => clearTimeout(timer));
      if (settled === undefined) return { status: "timeout" };
      return settled.status === "completed"
        ? { status: "ok" }
        : { status: "error", error: settled.text };
    },
    async getSessionMessages({ sessionKey, limit }) {
      instance.assertAlive("runtime.subagent.getSessionMessages");
      const messages = await sessionMessages(instance.id, sessionKey, limit);
      return { messages };
    },
    async deleteSession({ sessionKey }) {
      const called = "runtime.subagent.deleteSession";
      instance.assertAlive(called);
      const call = { origin: instance.origin, member: called };
      await deleteSession(instance.id, expectText(call, "sessionKey", sessionKey));
    },
  };
}
