import type { OpenClawConfiguration } from "@openclaw/configuration";
import type { Logger } from "@openclaw/plugin-sdk";
import type { EventHub } from "@openclaw/server";
import type { Store } from "@openclaw/store";
import { readinessChecks } from "../host/readiness.js";
import type { Host } from "../host/running-host.js";
import type { ClientListener } from "./client-listener.js";

/**
 * Creates the events of a host for {@link listenForHost}.
 * @param now - returns milliseconds since the epoch
 */
export async function createHostEvents(now: () => number): Promise<EventHub> {
  const { EventHub: Hub, EventLog } = await import("@openclaw/server");
  return new Hub(new EventLog(now));
}

/** Dependencies of {@link listenForHost}. */
export interface HostListenerDependencies {
  readonly host: Host;
  readonly store: Store;
  /** Events of the host, which it was opened with. */
  readonly hub: EventHub;
  readonly logger: Logger;
  readonly version: string;
  readonly configuration: OpenClawConfiguration;
  /** Path of the file with the token; created when it is missing. */
  readonly tokenFile: string;
}

/**
 * Listens on a free port for the clients of a host that no gateway runs, for example that of the test kit. It serves
 * what a gateway serves, without the methods about files: configuration, installed plugins, secrets, log and
 * tickets.
 * @param dependencies - host, events, configuration and token
 * @throws ListenAddressError, StateFolderError
 */
export async function listenForHost({
  configuration,
  ...dependencies
}: HostListenerDependencies): Promise<ClientListener> {
  const { host, store, hub } = dependencies;
  const [server, { listenForClients }, { createConversationMethods }] = await Promise.all([
    import("@openclaw/server"),
    import("./client-listener.js"),
    import("../methods/registry.js"),
  ]);
  const receive: Parameters<typeof createConversationMethods>[0]["receive"] = (message, caller) =>
    host.receive(message, caller);
  const methods = createConversationMethods({ host, store, receive, events: hub });
  return listenForClients({
    ...dependencies,
    ...{ server, receive, port: 0 },
    methods: async () => methods,
    ready: () =>
      readinessChecks({
        ...{ store, phase: "ready", plugins: host.plugins.current },
        channels: host.channels.manager.status,
        model: { ref: host.model.ref, isProvided: host.provides(host.model.ref) },
      }),
    model: () => ({ ref: host.model.ref }),
    section: configuration.gateway,
    webhooks: () => configuration.webhooks,
    allowHosts: () => configuration.tools?.http?.allowHosts,
    openAi: () => configuration.gateway?.openai,
    anthropic: () => configuration.gateway?.anthropic,
    isReady: () => true,
  });
}
