import { defined } from "@openclaw/foundation";
import type { EventHub } from "@openclaw/server";
import type { ClientListener, ClientListenerDependencies } from "../clients/client-listener.js";
import type { OpenClawConfiguration } from "../configuration/schema.js";
import type { GatewayOptions } from "../gateway-options.js";
import type { StartSequence } from "../host/start-sequence.js";
import type { LiveConfiguration } from "../reload/live-configuration.js";
import type { HostBase } from "./base.js";

/** The server of a host that listens, whose code no other host loads. */
export interface ClientServer {
  readonly server: typeof import("@openclaw/server");
  readonly hub: EventHub;
  /** Port to listen on; 0 for any free one. */
  readonly port: number;
}

/**
 * Loads the server of a host.
 * @param port - port to listen on; undefined loads none
 */
export async function loadServer(port: number | undefined): Promise<ClientServer | undefined> {
  if (port === undefined) return undefined;
  const server = await import("@openclaw/server");
  return { server, hub: new server.EventHub(new server.EventLog(Date.now)), port };
}

/** Configuration that a listener follows. */
export interface ListenerConfiguration {
  readonly live: LiveConfiguration;
  /** With the values of stored secrets. */
  readonly resolved: OpenClawConfiguration;
}

/**
 * Listens for clients, and writes into the lock where they reach the host.
 * @param base - lock, token file and log
 * @param serving - server, host and what it answers with
 * @param configuration - section `gateway` and others
 * @param options - address to listen on, and the steps of the start
 * @throws PortTakenError, ListenAddressError, StateFolderError
 */
export async function serveClients(
  { lock, state, logger }: Pick<HostBase, "lock" | "state" | "logger">,
  serving: Omit<
    ClientListenerDependencies,
    "logger" | "tokenFile" | "section" | "webhooks" | "allowHosts" | "openAi" | "anthropic"
  >,
  { live, resolved }: ListenerConfiguration,
  { bind, sequence }: Pick<GatewayOptions, "bind"> & { readonly sequence: StartSequence },
): Promise<ClientListener> {
  const { listenForClients } = await import("../clients/client-listener.js");
  const listening = await sequence.step("listener", () =>
    listenForClients({
      ...{ ...serving, logger },
      tokenFile: state.tokenFile,
      section: { ...resolved.gateway, ...defined({ bind }) },
      webhooks: resolved.webhooks,
      allowHosts: resolved.tools?.http?.allowHosts,
      openAi: () => live.value.gateway?.openai,
      anthropic: () => live.value.gateway?.anthropic,
    }),
  );
  sequence.add(() => listening.abort());
  const { port, host, networkNotice } = listening;
  if (networkNotice !== undefined) logger.warn(networkNotice);
  await lock.setHolder({
    ...{ port, host },
    usesTokenFile: resolved.gateway?.auth?.token === undefined,
  });
  return listening;
}
