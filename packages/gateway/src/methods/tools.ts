import { randomUUID } from "node:crypto";
import { offeredTools, runTool } from "@openclaw/agent";
import { WEB_SEARCH } from "@openclaw/core-tools";
import { defined, orderedId } from "@openclaw/foundation";
import {
  agentPin,
  mainSessionKey,
  SessionNotFoundError,
  type SessionRow,
  sessionLineage,
  subagentBounds,
} from "@openclaw/messaging";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { JsonObject } from "@openclaw/plugin-sdk/tools";
import { toolMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import type { Host } from "../host/running-host.js";

/** Dependencies of {@link createToolMethods}. */
export interface ToolMethodDependencies {
  readonly host: Pick<
    Host,
    | "plugins"
    | "services"
    | "sessions"
    | "router"
    | "sessionModel"
    | "isAttended"
    | "fullKey"
    | "webSearchProblem"
  >;
  readonly store: Pick<Store, "sessions">;
}

/** Sender of the calls of operators. */
const OPERATOR = { senderId: "operator", senderIsOwner: true } as const;

type RunRequest = Parameters<typeof runTool>[1];

/** Session of a call, which may not be stored yet. */
type CallSession = Pick<SessionRow, "sessionKey" | "sessionId" | "agentId">;

/**
 * Creates the tool methods (GW-029).
 * @param dependencies - host and store
 */
export function createToolMethods({
  host,
  store,
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

  const requestOf = async (session: CallSession, signal: AbortSignal): Promise<RunRequest> => {
    const { sessionKey, sessionId, agentId } = session;
    const runId = orderedId(host.services.now());
    const message = { channel: "api", conversationId: sessionKey, ...OPERATOR, text: "" };
    const route = host.router.route({ ...message, sessionKey, agentId });
    const lineage = await sessionLineage(sessionKey, store);
    return {
      runId,
      agentId,
      sessionKey,
      sessionId,
      trigger: "api",
      subagent: await subagentBounds(sessionKey, store),
      origin: { channel: "api", channelId: sessionKey, messageId: runId, ...OPERATOR },
      model: host.sessionModel(sessionKey) ?? route.modelRef,
      workspaceDir: route.workspaceDir,
      signal,
      isAttended: () => host.isAttended(lineage),
      onEvent: () => undefined,
    };
  };

  return MethodRegistry.of(toolMethods, {
    "tools.catalog": async () => {
      const tools = host.services.policy.tools.map(({ name, origin, pluginId, optional }) => ({
        name,
        source: origin === "plugin" ? ("plugin" as const) : ("core" as const),
        ...defined({ pluginId, optional: optional ? true : undefined }),
        ...metadataOf(name, pluginId, host.plugins.current.toolMetadata),
      }));
      if (tools.some(({ name }) => name === WEB_SEARCH)) return { tools };
      const unavailable = host.webSearchProblem;
      const search = { name: WEB_SEARCH, source: "core" as const, ...defined({ unavailable }) };
      return { tools: [...tools, search] };
    },
    "tools.effective": async (parameters, { signal }) => {
      const session = await sessionOf(parameters.sessionKey, async (main) => main);
      const request = await requestOf(session, signal);
      const pin = host.plugins.pin();
      try {
        const offered = await offeredTools(request, host.services, agentPin(pin, host.plugins));
        return {
          sessionKey: session.sessionKey,
          tools: offered.map(({ name, description, kind, pluginId, parameters: schema }) => ({
            name,
            description,
            source: kind === "plugin" ? ("plugin" as const) : ("core" as const),
            parameters: { ...schema },
            ...defined({ pluginId }),
          })),
        };
      } finally {
        pin.release();
      }
    },
    "tools.invoke": async ({ sessionKey, tool, params }, { signal }) => {
      const session = await sessionOf(sessionKey, ({ sessionKey: key, agentId }) =>
        host.sessions.create(key, { agentId }),
      );
      const request = await requestOf(session, signal);
      const call = {
        toolCallId: randomUUID(),
        toolName: tool,
        params: JSON.parse(JSON.stringify(params)) as JsonObject,
      };
      const pin = host.plugins.pin();
      try {
        const message = await runTool(call, request, host.services, agentPin(pin, host.plugins));
        const { toolCallId, isError, content } = message;
        return {
          runId: request.runId,
          toolCallId,
          isError,
          content: content.map((part) => ({ ...part })),
        };
      } finally {
        pin.release();
      }
    },
  });
}

/** Returns the metadata that a plugin registered for its tool (PLUG-111). */
function metadataOf(
  name: string,
  pluginId: string | undefined,
  registered: PluginGeneration["toolMetadata"],
) {
  const found = registered.find(
    (each) => each.pluginId === pluginId && each.metadata.toolName === name,
  );
  if (found === undefined) return {};
  const { displayName, description, risk, tags } = found.metadata;
  return defined({ displayName, description, risk, tags: tags && [...tags] });
}
