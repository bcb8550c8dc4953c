import { randomUUID } from "node:crypto";
import { defined } from "@openclaw/foundation";
import { mainSessionKey, SessionNotFoundError } from "@openclaw/messaging";
import { followedFile, followedNames } from "@openclaw/plugin-sdk/approvals";
import { memoryMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import { type TSchema, Type } from "typebox";
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
    {
      agentId = host.router.defaultAgent,
      ...params
    }: { readonly agentId?: string; readonly [name: string]: unknown },
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
    "memory.read": async (params, { signal }) => {
      const document = await call("memory_read", params, readDocument, signal);
      const isFollowed = !document.path.includes("/") && followedFile(document.path) !== undefined;
      return { ...document, isFollowed };
    },
    "memory.write": (params, { signal }) => call("memory_write", params, writeResult, signal),
    "memory.tree": async (params, { signal }) => ({
      ...(await call("memory_tree", params, readTree, signal)),
      followed: followedNames().filter((name) => !name.includes("/")),
    }),
    "memory.connections": ({ path, agentId }, { signal }) =>
      call(
        "memory_connect",
        { action: "list", ...defined({ document_path: path, agentId }) },
        resultOf("memory.connections"),
        signal,
      ),
    "memory.connect": ({ source, target, type, agentId }, { signal }) => {
      const asked = {
        action: "create",
        source_path: source,
        target_path: target,
        connection_type: type,
      };
      return call(
        "memory_connect",
        { ...asked, ...defined({ agentId }) },
        resultOf("memory.connect"),
        signal,
      );
    },
    "memory.disconnect": ({ connectionId, agentId }, { signal }) =>
      call(
        "memory_connect",
        { action: "delete", connection_id: connectionId, ...defined({ agentId }) },
        resultOf("memory.disconnect"),
        signal,
      ),
    "memory.spaces": (params, { signal }) =>
      call("memory_spaces", { action: "list", ...params }, resultOf("memory.spaces"), signal),
    "memory.space": ({ space, agentId }, { signal }) =>
      call(
        "memory_spaces",
        { action: "contents", name: space, ...defined({ agentId }) },
        resultOf("memory.space"),
        signal,
      ),
    "memory.createSpace": ({ space, ...others }, { signal }) =>
      call(
        "memory_spaces",
        { action: "create", name: space, ...others },
        resultOf("memory.createSpace"),
        signal,
      ),
    "memory.deleteSpace": ({ space, agentId }, { signal }) =>
      call(
        "memory_spaces",
        { action: "delete", name: space, ...defined({ agentId }) },
        resultOf("memory.deleteSpace"),
        signal,
      ),
    "memory.assign": ({ space, path, isIn, agentId }, { signal }) => {
      const asked = { action: isIn ? "add" : "remove", name: space, document_path: path };
      return call(
        "memory_spaces",
        { ...asked, ...defined({ agentId }) },
        resultOf("memory.assign"),
        signal,
      );
    },
    "memory.profile": (params, { signal }) =>
      call("memory_profile", { action: "get", ...params }, resultOf("memory.profile"), signal),
    "memory.setFact": ({ type, ...others }, { signal }) =>
      call(
        "memory_profile",
        { action: "set", ...others, ...defined({ profile_type: type }) },
        resultOf("memory.setFact"),
        signal,
      ),
    "memory.deleteFact": (params, { signal }) =>
      call(
        "memory_profile",
        { action: "delete", ...params },
        resultOf("memory.deleteFact"),
        signal,
      ),
  });
}

const { result: searchResult } = memoryMethods["memory.search"];
const readDocument = Type.Omit(memoryMethods["memory.read"].result, ["isFollowed"]);
const { result: writeResult } = memoryMethods["memory.write"];
const readTree = Type.Omit(memoryMethods["memory.tree"].result, ["followed"]);

function resultOf<Name extends keyof typeof memoryMethods>(
  name: Name,
): (typeof memoryMethods)[Name]["result"] {
  return memoryMethods[name].result;
}
