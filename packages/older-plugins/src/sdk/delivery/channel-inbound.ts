import { homedir } from "node:os";
import { join } from "node:path";

export {
  type DirectMessage,
  dispatchInboundDirectDmWithRuntime,
} from "../../channels/direct-message.js";
export {
  createChannelInboundDebouncer,
  shouldDebounceTextInbound,
} from "../../channels/inbound-debouncing.js";
export {
  type ImplicitMentionKind,
  implicitMentionKindWhen,
  type MentionDecision,
  type MentionFacts,
  type MentionPolicy,
  resolveInboundMentionDecision,
} from "../../channels/text/mention-decision.js";
export { logInboundDrop } from "../access/channel-feedback.js";

/**
 * Returns the facts for the text around a message. The host tells the model the channel, the sender and the time itself,
 * so that there is nothing to format.
 * @param place - configuration, agent and session
 * @deprecated The host describes the message to the model.
 */
export function resolveInboundSessionEnvelopeContext(place: {
  readonly cfg: unknown;
  readonly agentId: string;
  readonly sessionKey: string;
}): {
  readonly storePath: string;
  readonly envelopeOptions: object;
  readonly previousTimestamp: number | undefined;
} {
  const stateDir = process.env.OPENCLAW_STATE_DIR ?? join(homedir(), ".openclaw");
  const storePath = join(stateDir, "agents", place.agentId, "sessions");
  return { storePath, envelopeOptions: {}, previousTimestamp: undefined };
}
