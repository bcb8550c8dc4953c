type Config = Readonly<Record<string, unknown>>;

/** Functions of `runtime.channel` that are used. */
interface EnvelopeRuntime<Route> {
  readonly routing: {
    resolveAgentRoute(place: {
      readonly cfg: Config;
      readonly channel: string;
      readonly accountId: string;
      readonly peer: { readonly kind: string; readonly id: string };
    }): Route;
  };
  readonly session: {
    resolveStorePath(store: string | undefined, place: { readonly agentId: string }): string;
  };
  readonly reply: { formatAgentEnvelope(envelope: { readonly body: string }): string };
}

/**
 * Returns the agent and session of a conversation, and the function that creates the text of a message.
 * @param place - `runtime.channel`, channel, account and peer
 * @deprecated The host routes the messages of a `Channel`.
 */
export function resolveInboundRouteEnvelopeBuilderWithRuntime<
  Route extends { readonly agentId: string; readonly sessionKey: string },
>(place: {
  readonly cfg: Config;
  readonly channel: string;
  readonly accountId: string;
  readonly peer: { readonly kind: string; readonly id: string };
  readonly runtime: EnvelopeRuntime<Route>;
  readonly sessionStore?: string;
}) {
  const { cfg, channel, accountId, peer, runtime, sessionStore } = place;
  const route = runtime.routing.resolveAgentRoute({ cfg, channel, accountId, peer });
  return {
    route,
    buildEnvelope(envelope: { readonly body: string; readonly timestamp?: number }) {
      const { agentId } = route;
      return {
        storePath: runtime.session.resolveStorePath(sessionStore, { agentId }),
        body: runtime.reply.formatAgentEnvelope(envelope),
      };
    },
  };
}

/**
 * Returns the text of a message. The host tells the model the channel and the sender, so that it is not changed.
 * @param envelope - text of the message
 * @deprecated The host tells the model where a message is from.
 */
export function formatInboundEnvelope(envelope: { readonly body: string }): string {
  return envelope.body;
}
