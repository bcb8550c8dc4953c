import { defined } from "@openclaw/foundation";
import type { Origin } from "@openclaw/plugin-sdk/hooks";
import type { PolicyContext } from "@openclaw/tool-policy";
import type { InboundMessage } from "../messages/inbound.js";
import type { Binding, SessionConfiguration } from "../sessions/configuration.js";
import { agentOfCallerKey, expandSessionKey, sessionKeyOf } from "../sessions/key.js";

/** Agent of messages for which the configuration names no other. */
const MAIN = "main";
/** Keys of `agents` that are not agents. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(["defaults", "maxConcurrentTurns"]);

/** Where a message goes (TURN-008). */
export interface MessageRoute {
  readonly agentId: string;
  readonly sessionKey: string;
  /** `provider/model`, unless a hook overrides it. */
  readonly modelRef: string;
  /** Input of tool policy, as far as the message decides it. */
  readonly toolPolicyInput: PolicyContext;
  readonly workspaceDir: string;
  /** Whether tools run in a sandbox. */
  readonly sandboxed: boolean;
  /** Where replies go. */
  readonly deliveryContext: Origin & { channel: string; to: string; accountId: string };
}

/** Sends messages to agents and sessions. */
export interface MessageRouter {
  /** Ids of the agents that exist. */
  readonly agentIds: readonly string[];
  /** Agent of messages that no binding names. */
  readonly defaultAgent: string;
  /**
   * The route of a message; the same message always has the same.
   * @param message - as a surface hands it over
   */
  route(message: InboundMessage): MessageRoute;
  /**
   * Model of an agent's turns, `provider/model`.
   * @param agentId - for example `main`
   */
  modelOf(agentId: string): string;
}

/** What routes take from the host. */
export interface RouteDefaults {
  /** `provider/model` of agents that name none. */
  readonly model: string;
  /**
   * Workspace of an agent.
   * @param agentId - for example `main`
   */
  workspaceDir(agentId: string): string;
}

/** A configuration that names agents in a way that no message could be sent by. */
export interface RouteProblem {
  /** Keys and indexes of the value, from the root. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly suggestion: string;
}

/** What a route takes from an agent's own section. */
interface AgentRoute {
  readonly default?: boolean | undefined;
  readonly model?: string | undefined;
}

/** Sections of the configuration that routing reads. */
export interface RouteConfiguration {
  /** Sections of the agents by id, beside `defaults`. */
  readonly agents?: object | undefined;
  readonly bindings?: readonly Binding[] | undefined;
  readonly session?: SessionConfiguration | undefined;
}

/**
 * Makes the router of a host.
 * @param configuration - checked: {@link routeProblems} has found nothing
 * @param defaults - of the host
 */
export function createMessageRouter(
  configuration: RouteConfiguration,
  defaults: RouteDefaults,
): MessageRouter {
  const { bindings = [], session = {} } = configuration;
  const agents = agentsOf(configuration);
  const defaultAgent = defaultAgents(configuration)[0] ?? MAIN;
  const scope = session.dmScope ?? "per-channel-peer";

  const modelOf = (agentId: string) => agents.get(agentId)?.model ?? defaults.model;

  return {
    agentIds: [...agents.keys()],
    defaultAgent,
    modelOf,
    route(message) {
      const { channel, conversationId, accountId = "default", threadId, room } = message;
      const agentId =
        message.agentId ??
        agentOfCallerKey(message.sessionKey ?? "") ??
        bindings.find((binding) => matches(binding, message))?.agentId ??
        defaultAgent;
      const sessionKey =
        message.sessionKey === undefined
          ? sessionKeyOf(agentId, message, scope)
          : expandSessionKey(message.sessionKey, agentId);
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
        workspaceDir: defaults.workspaceDir(agentId),
        sandboxed,
        deliveryContext: defined({ channel, to: conversationId, accountId, threadId }),
      };
    },
  };
}

/**
 * What a schema cannot say of `agents` and `bindings`: at most one agent is the default, and bindings
 * name agents that exist.
 * @param configuration - as it was read
 */
export function routeProblems(configuration: RouteConfiguration): RouteProblem[] {
  const known = [...agentsOf(configuration).keys()];
  const [first, ...others] = defaultAgents(configuration);
  const { bindings } = configuration;
  const entries: readonly (Partial<Binding> | null)[] = Array.isArray(bindings) ? bindings : [];
  return [
    ...others.map((agentId) => ({
      path: ["agents", agentId, "default"],
      message: `"${first}" is marked as the default agent already`,
      suggestion: "mark one agent",
    })),
    ...entries.flatMap((entry, index) => {
      const agentId = entry?.agentId;
      if (typeof agentId !== "string" || known.includes(agentId)) return [];
      return {
        path: ["bindings", index, "agentId"],
        message: `there is no agent "${agentId}"`,
        suggestion: `add agents.${agentId}, or name one of: ${known.join(", ")}`,
      };
    }),
  ];
}

/** The agents that a configuration names; it may not have been checked yet. */
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
