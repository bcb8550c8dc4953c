import { randomUUID } from "node:crypto";
import { type OfferedToolKind, offeredTools } from "@openclaw/agent";
import { defined } from "@openclaw/foundation";
import { agentPin, mainSessionKey, SessionNotFoundError } from "@openclaw/messaging";
import { type MethodCall, toolMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Host } from "../host/running-host.js";
import { type CallSession, requesterOf } from "../host/tools/session.js";
import { toolCatalog } from "./tool-catalog.js";

/** Owner of the tools of each kind. */
const SOURCE_OF_KIND = {
  ...{ builtin: "core", client: "core" },
  ...{ plugin: "plugin", mcp: "plugin", wasm: "plugin" },
} as const satisfies Record<OfferedToolKind, "core" | "plugin">;

/** Dependencies of {@link createToolMethods}. */
export interface ToolMethodDependencies {
  readonly host: Pick<
    Host,
    "plugins" | "services" | "sessions" | "router" | "sessionTools" | "fullKey" | "webSearchProblem"
  >;
}

/**
 * Creates the tool methods (GW-029).
 * @param dependencies - host and store
 */
export function createToolMethods({
  host,
}: ToolMethodDependencies): MethodRegistry<typeof toolMethods> {
  /** The main session of an agent exists for tools before its first message. */
  const mainSession = (key: string): CallSession | undefined => {
    const sessionKey = host.fullKey(key);
    const agentId = host.router.agentIds.find((id) => mainSessionKey(id) === sessionKey);
    return agentId === undefined ? undefined : { sessionKey, sessionId: randomUUID(), agentId };
  };
  const sessionOf = async (
    key: string,
    orMain: (session: CallSession) => Promise<CallSession>,
  ): Promise<CallSession> => {
    try {
      return await host.sessions.get(key);
    } catch (error) {
      const main = SessionNotFoundError.isInstance(error) ? mainSession(key) : undefined;
      if (main === undefined) throw error;
      return orMain(main);
    }
  };

  const requestOf = (session: CallSession, { caller, signal }: MethodCall) =>
    host.sessionTools.request(session, requesterOf(caller, session.sessionKey), signal);

  return MethodRegistry.of(toolMethods, {
    "tools.catalog": () => toolCatalog(host),
    "tools.effective": async (parameters, call) => {
      const session = await sessionOf(parameters.sessionKey, async (main) => main);
      const request = await requestOf(session, call);
      const pin = host.plugins.pin();
      try {
        const offered = await offeredTools(request, host.services, agentPin(pin, host.plugins));
        return {
          sessionKey: session.sessionKey,
          tools: offered.map(({ name, description, kind, tokens, parameters, ...more }) => ({
            name,
            description,
            source: SOURCE_OF_KIND[kind],
            parameters: { ...parameters },
            tokens,
            ...defined({
              pluginId: more.pluginId,
              mcpServer: more.mcpServer,
              isDeferred: more.isDeferred ? true : undefined,
            }),
          })),
        };
      } finally {
        pin.release();
      }
    },
    "tools.invoke": async ({ sessionKey, tool, params, toolCallId: given }, call) => {
      const session = await sessionOf(sessionKey, ({ sessionKey: key, agentId }) =>
        host.sessions.create(key, { agentId }),
      );
      const request = await requestOf(session, call);
      const message = await host.sessionTools.run({ tool, params, toolCallId: given }, request);
      const { toolCallId, isError, content } = message;
      return {
        runId: request.runId,
        toolCallId,
        isError,
        content: content.map((part) => ({ ...part })),
      };
    },
  });
}
