import type { LoadedConfiguration, OpenClawConfiguration } from "@openclaw/configuration";
import { createMessageRouter, type MessageRouter, type RouteDefaults } from "@openclaw/messaging";
import { type AclDecision, ChannelAccess } from "@openclaw/tool-policy";

/** Keeps something that is made from the configuration until a reload replaces the configuration (GW-006). */
export class FromConfiguration<Made> {
  readonly #configuration: Pick<LoadedConfiguration, "value">;
  readonly #make: (value: OpenClawConfiguration) => Made;
  #latest: { readonly value: OpenClawConfiguration; readonly made: Made } | undefined;

  /**
   * @param configuration - live configuration
   * @param make - makes it from the configuration in force
   */
  constructor(
    configuration: Pick<LoadedConfiguration, "value">,
    make: (value: OpenClawConfiguration) => Made,
  ) {
    this.#configuration = configuration;
    this.#make = make;
  }

  /** Made from the configuration in force. */
  get current(): Made {
    const { value } = this.#configuration;
    if (this.#latest?.value !== value) this.#latest = { value, made: this.#make(value) };
    return this.#latest.made;
  }
}

/**
 * Creates a router that follows changes of `agents` and `bindings`.
 * @param configuration - live configuration
 * @param defaults - defaults of the host
 */
export function createLiveRouter(
  configuration: Pick<LoadedConfiguration, "value">,
  defaults: RouteDefaults,
): MessageRouter {
  const router = new FromConfiguration(configuration, (value) =>
    createMessageRouter(value, defaults),
  );
  return {
    get agentIds() {
      return router.current.agentIds;
    },
    get defaultAgent() {
      return router.current.defaultAgent;
    },
    route: (message) => router.current.route(message),
    modelOf: (agentId) => router.current.modelOf(agentId),
  };
}

/**
 * Creates the access lists of channels, which follow changes of `channels`.
 * @param configuration - live configuration
 */
export function createLiveAccess(
  configuration: Pick<LoadedConfiguration, "value">,
): Pick<ChannelAccess, "decide"> {
  const access = new FromConfiguration(configuration, (value) => new ChannelAccess(value));
  return {
    decide: (channel: string, senderId: string): AclDecision =>
      access.current.decide(channel, senderId),
  };
}
