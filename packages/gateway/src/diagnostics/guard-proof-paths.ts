import { randomUUID } from "node:crypto";
import { ClientToolDeniedError, type OfferedToolKind, recordTurn, runTool } from "@openclaw/agent";
import { waitAtMost } from "@openclaw/foundation";
import {
  CANARY_REASON,
  CLIENT_PROBE,
  CORE_PROBE,
  GUARDS,
  type Guard,
  MCP_PROBE,
  NESTING_PROBE,
  PLUGIN_PROBE,
  RESOURCE_PROBE,
  WASM_PROBE,
} from "./guard-canary.js";
import type { GuardProofHost } from "./guard-proof-host.js";

/** Path that calls take to tools. */
export interface ToolPath {
  /** Title in the report. */
  readonly title: string;
  /** Tool that the canary calls on this path. */
  readonly tool: string;
  /** Guards that are evaluated on this path. */
  readonly guards: readonly Guard[];
  /**
   * Sends the canary's call on this path, with the guard armed if the call is to be denied.
   * @param proof - host with the canary
   * @param guard - guard to arm
   * @returns the denial, if the audit log of the host does not contain it
   */
  send(proof: GuardProofHost, guard: Guard): Promise<PathDenial | undefined>;
}

/** Denial that the audit log does not contain. */
export interface PathDenial {
  readonly decider: string;
}

/** The operator, for whom jobs and routines work. */
const OPERATOR = {
  channel: "terminal",
  conversationId: "guard-proof",
  senderId: "operator",
  senderIsOwner: true,
};
const CHILD_MS = 10_000;
const TURN_MS = 10_000;

/**
 * All paths that calls take to tools. A kind of tool or an entry point that is missing here does not compile,
 * or fails the test that looks for callers of the tool pipeline, so no path can be added without a check.
 */
export const TOOL_PATHS = {
  core: calledByModel("core tool, called by a model", CORE_PROBE),
  plugin: calledByModel("plugin tool, called by a model", PLUGIN_PROBE),
  mcp: calledByModel("tool of an MCP server, called by a model", MCP_PROBE),
  wasm: calledByModel("tool of a WebAssembly component, called by a model", WASM_PROBE),
  client: {
    title: "tool of a client, called by a model",
    tool: CLIENT_PROBE,
    guards: GUARDS,
    async send(proof, guard) {
      const { canary } = proof;
      await proof.arm(guard);
      const parameters = { type: "object", properties: { message: { type: "string" } } };
      const tools = [{ name: CLIENT_PROBE, description: "Does nothing.", parameters }];
      const call = canary.request({ toolName: CLIENT_PROBE, params: canary.params });
      const outcome = await proof.say(call, { client: { tools } });
      if (outcome.status === "replied" && outcome.clientCalls !== undefined) {
        canary.ran.push(CLIENT_PROBE);
      }
      // The tool policy denies the whole request, because the client relies on its tools.
      const isRefused =
        outcome.status === "failed" && outcome.error.code === ClientToolDeniedError.code;
      return isRefused ? { decider: "policy" } : undefined;
    },
  },
  subagent: {
    title: "tool, called by a subagent",
    tool: PLUGIN_PROBE,
    guards: GUARDS,
    async send(proof, guard) {
      const { canary, store, sessionKey } = proof;
      await proof.arm(guard);
      const task = canary.request({ toolName: PLUGIN_PROBE, params: canary.params });
      await proof.say(canary.request({ toolName: "sessions_spawn", params: { task } }));
      const children = await store.sessions.subagents.childrenOf(sessionKey, { limit: 1 });
      if (children.length > 0) await waitAtMost(CHILD_MS, canary.childEnded);
      return undefined;
    },
  },
  job: {
    title: "tool, called by a job",
    tool: PLUGIN_PROBE,
    guards: GUARDS,
    async send(proof, guard) {
      const { canary, agentId } = proof;
      await proof.arm(guard);
      const { jobs } = proof.host;
      const description = canary.request({ toolName: PLUGIN_PROBE, params: canary.params });
      const asked = { agentId, creator: OPERATOR, model: canary.model };
      const { jobId } = await jobs.create({ ...asked, title: "guard proof", description });
      await jobs.ended(jobId, AbortSignal.timeout(TURN_MS));
      return undefined;
    },
  },
  cron: {
    title: "tool, called by a routine",
    tool: PLUGIN_PROBE,
    guards: GUARDS,
    async send(proof, guard) {
      const { canary, agentId } = proof;
      await proof.arm(guard);
      const { routines } = proof.host;
      const prompt = canary.request({ toolName: PLUGIN_PROBE, params: canary.params });
      const asked = { agentId, creator: OPERATOR, model: canary.model, manual: true };
      await routines.add({ ...asked, name: "guard-proof", prompt });
      const ended = canary.nextTurnEnd();
      await routines.run("guard-proof", { isOperator: true, owner: "" });
      await waitAtMost(TURN_MS, ended);
      return undefined;
    },
  },
  invoked: {
    title: "tool, invoked without a model",
    tool: PLUGIN_PROBE,
    guards: GUARDS,
    async send(proof, guard) {
      await proof.arm(guard);
      const { host, canary, agentId, sessionKey, parts } = proof;
      using pin = pinned(host.plugins);
      await runTool(
        { toolCallId: randomUUID(), toolName: PLUGIN_PROBE, params: canary.params },
        {
          runId: randomUUID(),
          agentId,
          sessionKey,
          sessionId: "guard-proof",
          trigger: "api",
          origin: {
            channel: "api",
            channelId: "guard-proof",
            messageId: "guard-proof",
            senderId: "operator",
            senderIsOwner: true,
          },
          model: canary.model,
          workspaceDir: parts.workspaceDir,
          signal: new AbortController().signal,
          onEvent: () => undefined,
        },
        host.services,
        pin,
      );
      return undefined;
    },
  },
  nested: {
    title: "tool, called by another tool",
    tool: PLUGIN_PROBE,
    guards: GUARDS,
    async send(proof, guard) {
      await proof.arm(guard);
      await proof.say(proof.canary.request({ toolName: NESTING_PROBE, params: {} }));
      return undefined;
    },
  },
  mentioned: {
    title: "tool, called for a resource that a message names",
    tool: RESOURCE_PROBE,
    // With policy, the turn has no tool that reads the resource, and the message names none.
    guards: ["trusted-policy", "hook"],
    async send(proof, guard) {
      await proof.arm(guard);
      await proof.say(proof.canary.mention);
      return undefined;
    },
  },
  resumed: {
    title: "call that resumes after its approval",
    tool: PLUGIN_PROBE,
    // The hooks ran before the approval request was made, and do not run again (D17).
    guards: ["policy", "trusted-policy"],
    async send(proof, guard) {
      const { canary } = proof;
      const asked = new Promise<string>((resolve) => {
        proof.host.attend({
          channel: "terminal",
          show: ({ id, state }) => {
            if (state === "pending") resolve(id);
          },
        });
      });
      const params = { ...canary.params, ask: true };
      const reply = proof.say(canary.request({ toolName: PLUGIN_PROBE, params }));
      const question = await Promise.race([asked, reply.then(() => undefined)]);
      if (question === undefined) return undefined;
      await proof.arm(guard);
      const ended = canary.nextTurnEnd();
      const operator = { channel: "terminal", senderId: "operator", isOwner: true };
      await proof.host.approvals.decide(
        question,
        { decision: "allow-once", via: "guard-proof" },
        operator,
      );
      await waitAtMost(TURN_MS, ended);
      return undefined;
    },
  },
  replayed: {
    title: "call in a replayed run",
    tool: PLUGIN_PROBE,
    // With policy, the tool is already missing from the prompt, and the replay does not reach its call.
    guards: ["trusted-policy", "hook"],
    async send(proof, guard) {
      const { canary, store, say } = proof;
      const call = { toolName: PLUGIN_PROBE, params: canary.params };
      const outcome = await say(canary.request(call));
      const turn = "runId" in outcome ? await store.turns.get(outcome.runId ?? "") : undefined;
      if (turn === undefined || canary.ran.length === 0) return undefined;
      canary.ran.length = 0;
      await proof.arm(guard);
      const { replayRun } = await import("./run-replay.js");
      const report = await replayRun(await recordTurn(turn, store), proof.parts);
      if (report.status === "identical") {
        canary.ran.push(PLUGIN_PROBE);
        return undefined;
      }
      const isDenied = JSON.stringify(report.divergence).includes(CANARY_REASON);
      return isDenied ? { decider: "replay" } : undefined;
    },
  },
} as const satisfies Record<string, ToolPath>;

/** Name of a path to tools. */
export type ToolPathName = keyof typeof TOOL_PATHS;

/** Path that checks each kind of tool. */
export const PATH_OF_KIND: Readonly<Record<OfferedToolKind, ToolPathName>> = {
  builtin: "core",
  plugin: "plugin",
  mcp: "mcp",
  wasm: "wasm",
  client: "client",
};

function calledByModel(title: string, tool: string) {
  return {
    title,
    tool,
    guards: GUARDS,
    async send(proof, guard) {
      const { canary } = proof;
      await proof.arm(guard);
      await proof.say(canary.request({ toolName: tool, params: canary.params }));
      return undefined;
    },
  } as const satisfies ToolPath;
}

function pinned(plugins: GuardProofHost["host"]["plugins"]) {
  const { generation, hooks, release } = plugins.pin();
  return {
    generation: generation.number,
    hooks,
    tools: generation.tools,
    mayAddToPrompts: (pluginId: string) => plugins.mayAddToPrompts(pluginId),
    [Symbol.dispose]: release,
  };
}
