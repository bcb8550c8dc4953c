import { buildAgentSessionKey as keyOf } from "../channels/runtime/routing.js";
import { isRecord } from "./string-coerce-runtime.js";

export {
  DEFAULT_ACCOUNT_ID,
  normalizeAccountId,
  normalizeOptionalAccountId,
} from "./account-id.js";

/** Rule by which direct conversations share sessions. */
type DmScope = "main" | "per-peer" | "per-channel-peer" | "per-account-channel-peer";

/** Conversation of an agent. */
interface AgentConversation {
  readonly agentId: string;
  readonly channel: string;
  readonly accountId?: string | null;
  readonly peer?: { readonly kind: string; readonly id: string } | null;
}

/**
 * Returns the key of the session of a conversation. The host routes each message itself.
 * @param conversation - agent, channel, account, peer and scope of direct conversations
 * @deprecated The host routes the messages of a `Channel`.
 */
export function buildAgentSessionKey(
  conversation: AgentConversation & { readonly dmScope?: DmScope },
): string {
  return keyOf(conversation);
}

/**
 * Returns the key of the session of a conversation by `session.dmScope` of the configuration.
 * @param conversation - configuration, agent, channel, account and peer
 * @deprecated The host routes the messages of a `Channel`.
 */
export function buildOutboundBaseSessionKey(
  conversation: AgentConversation & { readonly cfg: Readonly<Record<string, unknown>> },
): string {
  const { cfg, ...rest } = conversation;
  const scope = isRecord(cfg.session) ? cfg.session.dmScope : undefined;
  const dmScope = SCOPES.find((each) => each === scope) ?? "per-channel-peer";
  return keyOf({ ...rest, dmScope });
}

const SCOPES = ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"] as const;
