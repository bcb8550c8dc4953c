import { randomBytes } from "node:crypto";
import type { GatewaySection } from "@openclaw/configuration";
import { defined, systemClock } from "@openclaw/foundation";
import type { Logger } from "@openclaw/plugin-sdk";
import type { EventHub, NodeEventLog } from "@openclaw/server";
import type { Store } from "@openclaw/store";
import type { ClientListenerDependencies } from "../clients/client-listener.js";
import type { LiveListener } from "../clients/live-listener.js";
import type { GatewayOptions } from "../gateway-options.js";
import type { StartSequence } from "../host/start-sequence.js";
import type { LiveConfiguration } from "../reload/live-configuration.js";
import type { HostBase } from "./base.js";

/** The server of a host that listens, whose code no other host loads. */
export interface ClientServer {
  readonly server: typeof import("@openclaw/server");
  readonly hub: EventHub;
  /** Events of all nodes; undefined on a host that has its database alone. */
  readonly nodeEvents: NodeEventLog | undefined;
  /** Port to listen on; 0 for any free one. */
  readonly port: number;
}

/**
 * Loads the server of a host.
 * @param port - port to listen on; undefined loads none
 * @param host - store and log
 * @param sequence - closes the events of all nodes
 */
export async function loadServer(
  port: number | undefined,
  { store, logger }: { readonly store: Store; readonly logger: Logger },
  sequence: Pick<StartSequence, "add">,
): Promise<ClientServer | undefined> {
  if (port === undefined) return undefined;
  const server = await import("@openclaw/server");
  server.replaceFetchClasses();
  const isNode = store.nodes.own !== undefined;
  const dependencies = { store, logger, timers: systemClock, now: Date.now };
  const nodeEvents = isNode ? new server.NodeEventLog(dependencies) : undefined;
  if (nodeEvents !== undefined) sequence.add(() => nodeEvents.close());
  const hub = new server.EventHub(nodeEvents ?? new server.EventLog(Date.now));
  return { server, hub, nodeEvents, port };
}

/** Bytes of the token of commands on this machine. */
const LOCAL_TOKEN_BYTES = 32;

/** Options of {@link serveClients}. */
export interface ServeOptions extends Pick<GatewayOptions, "bind"> {
  readonly sequence: StartSequence;
}

/**
 * Listens for clients, and writes into the lock where they reach the host, also after a change of the listener.
 * @param base - lock, token file and log
 * @param serving - server, host and what it answers with
 * @param live - configuration in force
 * @param options - address to listen on, and the steps of the start
 * @throws PortTakenError, ListenAddressError, StateFolderError
 */
export async function serveClients(
  { lock, state, logger }: Pick<HostBase, "lock" | "state" | "logger">,
  serving: Omit<
    ClientListenerDependencies,
    | "logger"
    | "tokenFile"
    | "localToken"
    | "section"
    | "webhooks"
    | "allowHosts"
    | "openAi"
    | "anthropic"
  >,
  live: LiveConfiguration,
  { bind, sequence }: ServeOptions,
): Promise<LiveListener> {
  const [{ listenForClients }, { LiveListener }] = await Promise.all([
    import("../clients/client-listener.js"),
    import("../clients/live-listener.js"),
  ]);
  // A configured token may be a stored secret, which no command can read while this process has the store.
  const local = randomBytes(LOCAL_TOKEN_BYTES).toString("base64url");
  const localTokenOf = ({ auth }: GatewaySection) =>
    auth?.token === undefined ? undefined : local;
  const listening = await sequence.step("listener", () =>
    LiveListener.open(
      { section: { ...live.resolved.gateway, ...defined({ bind }) }, port: serving.port },
      {
        ...{ logger, timers: systemClock },
        open: (settings, options) =>
          listenForClients({
            ...{ ...serving, ...settings, ...options, logger },
            tokenFile: state.tokenFile,
            localToken: localTokenOf(settings.section),
            webhooks: () => live.resolved.webhooks,
            allowHosts: () => live.value.tools?.http?.allowHosts,
            openAi: () => live.value.gateway?.openai,
            anthropic: () => live.value.gateway?.anthropic,
          }),
        async onOpen({ port, host, networkNotice }, { section }) {
          if (networkNotice !== undefined) logger.warn(networkNotice);
          await lock?.setHolder({ port, host, localToken: localTokenOf(section) });
        },
      },
    ),
  );
  sequence.add(() => listening.abort());
  return listening;
}
