import { randomUUID } from "node:crypto";
import { mainSessionKey, SessionNotFoundError } from "@openclaw/messaging";
import { memoryMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { TSchema } from "typebox";
import { Check, Clean } from "typebox/value";
import { MemoryCallFailedError, MemoryUnavailableError } from "../errors.js";
import type { Host } from "../host/running-host.js";
import { type CallSession, operatorOf } from "../host/tools/session.js";

/** Dependencies of {@link createMemoryMethods}. */
export interface MemoryMethodDependencies {
  readonly host: Pick<Host, "services" | "sessions" | "router" | "sessionTools">;
}

/**
 * Creates the methods of the memory (GW-028): each calls the tool with the same purpose of the plugin in the memory slot, in
 * the main session of the agent, as the operator.
 * @param dependencies - host
 */
export function createMemoryMethods({
  host,
}: MemoryMethodDependencies): MethodRegistry<typeof memoryMethods> {
  const mainSession = async (agentId: string): Promise<CallSession> => {
    const sessionKey = mainSessionKey(agentId);
    try {
      return await host.sessions.get(sessionKey);
    } catch (error) {
      // The memory of an agent exists before its first message.
      if (!SessionNotFoundError.isInstance(error)) throw error;
      return { sessionKey, sessionId: randomUUID(), agentId };
    }
  };

  async function call<Result extends TSchema>(
    tool: string,
    { agentId = host.router.defaultAgent, ...params }: { readonly agentId?: string },
    schema: Result,
    signal: AbortSignal,
  ) {
    if (!host.services.policy.tools.some(({ name }) => name === tool)) {
      throw new MemoryUnavailableError(tool);
    }
    if (!host.router.agentIds.includes(agentId)) {
      const known = host.router.agentIds.join(", ");
      throw new MemoryCallFailedError(
        tool,
        `agent "${agentId}" not found; the agents are ${known}`,
      );
    }
    const session = await mainSession(agentId);
    const requester = operatorOf(session.sessionKey);
    const request = await host.sessionTools.request(session, requester, signal);
    const { isError, content, details } = await host.sessionTools.run({ tool, params }, request);
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    if (isError) throw new MemoryCallFailedError(tool, text);
    // A memory may tell models more than clients are promised.
    const answer: unknown = Clean(schema, structuredClone(details));
    if (!Check(schema, answer)) {
      throw new MemoryCallFailedError(tool, "its result is not the one of a memory");
    }
    return answer;
  }

  return MethodRegistry.of(memoryMethods, {
    "memory.search": (params, { signal }) => call("memory_search", params, searchResult, signal),
    "memory.read": (params, { signal }) => call("memory_read", params, readResult, signal),
    "memory.write": (params, { signal }) => call("memory_write", params, writeResult, signal),
    "memory.tree": (params, { signal }) => call("memory_tree", params, treeResult, signal),
  });
}

const { result: searchResult } = memoryMethods["memory.search"];
const { result: readResult } = memoryMethods["memory.read"];
const { result: writeResult } = memoryMethods["memory.write"];
const { result: treeResult } = memoryMethods["memory.tree"];
