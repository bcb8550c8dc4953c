import { defined } from "@openclaw/foundation";
import type { InboundMessage } from "../messages/inbound.js";
import type { MessageRouter } from "../messages/route.js";
import {
  type Binding,
  DEFAULT_DM_SCOPE,
  type SessionConfiguration,
} from "../sessions/configuration.js";
import { agentOfCallerKey, expandSessionKey, sessionKeyOf } from "../sessions/key.js";

/** Agent of messages for which the configuration names no other agent. */
const MAIN = "main";
/** Keys of `agents` that are not agents. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(["defaults", "maxConcurrentTurns"]);

/** Defaults of the host for routes. */
export interface RouteDefaults {
  /** Model, as `provider/model`, of agents without a configured one. */
  readonly model: string;
  /**
   * Returns the workspace of a session.
   * @param agentId - agent ID, for example `main`
   * @param sessionKey - full key
   */
  workspaceDir(agentId: string, sessionKey: string): string;
}

/** Error in the configuration of agents or bindings. */
export interface RouteProblem {
  /** Keys and indexes of the value, from the root. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly suggestion: string;
}

/** Settings of an agent's own section that routing uses. */
interface AgentRoute {
  readonly default?: boolean | undefined;
  readonly model?: string | undefined;
}

/** Sections of the configuration that routing reads. */
export interface RouteConfiguration {
  /** Sections of the agents by ID, and `defaults`. */
  readonly agents?: object | undefined;
  readonly bindings?: readonly Binding[] | undefined;
  readonly session?: SessionConfiguration | undefined;
}

/** IDs are parts of session keys, folder names and keys of the configuration. */
const AGENT_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/**
 * Creates the router of a host.
 * @param configuration - configuration without {@link routeProblems}
 * @param defaults - defaults of the host
 */
export function createMessageRouter(
  configuration: RouteConfiguration,
  defaults: RouteDefaults,
): MessageRouter {
  const { bindings = [], session = {} } = configuration;
  const agents = agentsOf(configuration);
  const defaultAgent = defaultAgentOf(configuration);
  const scope = session.dmScope ?? DEFAULT_DM_SCOPE;

  const modelOf = (agentId: string) => agents.get(agentId)?.model ?? defaults.model;

  return {
    agentIds: [...agents.keys()],
    defaultAgent,
    modelOf,
    route(message) {
      const { channel, conversationId, accountId = "default", threadId, room } = message;
      // A short key names the same session on every surface, whatever the bindings of the conversation are.
      const named =
        message.sessionKey && expandSessionKey(message.sessionKey, message.agentId ?? defaultAgent);
      const agentId =
        message.agentId ??
        agentOfCallerKey(named ?? "") ??
        bindings.find((binding) => matches(binding, message))?.agentId ??
        defaultAgent;
      const sessionKey = named === undefined ? sessionKeyOf(agentId, message, scope) : named;
      const sandboxed = false;
      return {
        agentId,
        sessionKey,
        modelRef: message.model ?? modelOf(agentId),
        toolPolicyInput: defined({
          agentId,
          channel,
          accountId,
          senderId: message.senderId,
          senderIsOwner: message.senderIsOwner,
          sandboxed,
          subagentDepth: 0,
          groupId: room?.id,
          senderName: message.userName,
        }),
        workspaceDir: defaults.workspaceDir(agentId, sessionKey),
        sandboxed,
        deliveryContext: defined({ channel, to: conversationId, accountId, threadId }),
      };
    },
  };
}

/**
 * Checks `agents` and `bindings` beyond their schema: at most one agent is the default, and bindings name
 * existing agents.
 * @param configuration - configuration as read
 */
export function routeProblems(configuration: RouteConfiguration): RouteProblem[] {
  const known = [...agentsOf(configuration).keys()];
  const [first, ...others] = defaultAgents(configuration);
  const { bindings } = configuration;
  const entries: readonly (Partial<Binding> | null)[] = Array.isArray(bindings) ? bindings : [];
  const { agents } = configuration;
  return [
    ...Object.keys({ ...agents })
      .filter((agentId) => !RESERVED_KEYS.has(agentId) && !AGENT_ID.test(agentId))
      .map((agentId) => ({
        path: ["agents", agentId],
        message: `"${agentId}" is not the id of an agent`,
        suggestion: "use 1 to 64 letters, digits, - and _, for example clerk",
      })),
    ...others.map((agentId) => ({
      path: ["agents", agentId, "default"],
      message: `"${first}" is already marked as the default agent`,
      suggestion: "mark only one agent",
    })),
    ...entries.flatMap((entry, index) => {
      const agentId = entry?.agentId;
      if (typeof agentId !== "string" || known.includes(agentId)) return [];
      return {
        path: ["bindings", index, "agentId"],
        message: `agent "${agentId}" not found`,
        suggestion: `add agents.${agentId}, or use one of: ${known.join(", ")}`,
      };
    }),
  ];
}

/** Returns the agents in a configuration that may not have been checked yet. */
function agentsOf({ agents }: RouteConfiguration): Map<string, AgentRoute> {
  const found = new Map<string, AgentRoute>([[MAIN, {}]]);
  for (const [agentId, section] of Object.entries<unknown>({ ...agents })) {
    if (RESERVED_KEYS.has(agentId) || typeof section !== "object" || section === null) continue;
    const { default: isDefault, model }: { default?: unknown; model?: unknown } = section;
    found.set(agentId, {
      default: isDefault === true,
      model: typeof model === "string" ? model : undefined,
    });
  }
  return found;
}

/**
 * Returns the agent of messages that no binding assigns to another one.
 * @param configuration - section `agents` of the configuration
 */
export function defaultAgentOf(configuration: RouteConfiguration): string {
  return defaultAgents(configuration)[0] ?? MAIN;
}

function defaultAgents(configuration: RouteConfiguration): string[] {
  return [...agentsOf(configuration)]
    .filter(([, section]) => section.default === true)
    .map(([agentId]) => agentId);
}

function matches({ match }: Binding, message: InboundMessage): boolean {
  const { channel, accountId = "default", senderId, room } = message;
  const is = (wanted: string | undefined, found: string | undefined) =>
    wanted === undefined || wanted === "*" || wanted.toLowerCase() === found?.toLowerCase();
  return (
    is(match.channel, channel) &&
    is(match.accountId, accountId) &&
    is(match.peer, senderId) &&
    is(match.group, room?.id)
  );
}
