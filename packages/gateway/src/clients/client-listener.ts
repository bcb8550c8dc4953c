import { textTokens } from "@openclaw/agent";
import type { GatewaySection, OpenClawConfiguration } from "@openclaw/configuration";
import { systemClock } from "@openclaw/foundation";
import { pendingApproval } from "@openclaw/messaging";
import type { Logger } from "@openclaw/plugin-sdk";
import { NetworkClient } from "@openclaw/safety";
import type {
  EventHub,
  GatewayAccess,
  HttpHost,
  IdempotentCalls,
  MethodSource,
  SocketServer,
} from "@openclaw/server";
import type { Store } from "@openclaw/store";
import { createAccess } from "../host/access.js";
import { createSocketServer, Listeners } from "../host/connections.js";
import { createEmbeddingPort } from "../host/embeddings/client-port.js";
import { listenAddressOf } from "../host/listen-address.js";
import { openMetrics } from "../host/metrics.js";
import type { Host } from "../host/running-host.js";

/** Dependencies of {@link listenForClients}. */
export interface ClientListenerDependencies
  extends Pick<HttpHost, "receive" | "ready" | "model" | "console"> {
  /** Version of the product. */
  readonly version: string;
  /** The package, which only a host that listens loads. */
  readonly server: typeof import("@openclaw/server");
  readonly hub: EventHub;
  readonly host: Host;
  readonly store: Store;
  readonly logger: Logger;
  readonly port: number;
  /** Path of the file with the gateway's token. */
  readonly tokenFile: string;
  /** Token of commands on this machine, when the configuration has another one for other clients. */
  readonly localToken?: string | undefined;
  /** Section `gateway` of the configuration, with its secrets. */
  readonly section: GatewaySection | undefined;
  /** Returns the current section `webhooks`, with its secrets. */
  webhooks(): OpenClawConfiguration["webhooks"];
  /** Returns the current exemptions from the network check, `tools.http.allowHosts`. */
  allowHosts(): readonly string[] | undefined;
  /** State of an earlier listener, which the new one continues. */
  readonly lasting?: LastingState | undefined;
  /** Called when everything but the port is ready. */
  beforeListening?(): void;
  /** Returns the methods of the host; called at the first call of one. */
  methods(): Promise<MethodSource>;
  /** Returns the current settings of the OpenAI-compatible API. */
  openAi(): GatewaySection["openai"];
  anthropic(): GatewaySection["anthropic"];
  /** Returns true when the host has started and does not stop. */
  isReady(): boolean;
}

/** State that outlives a listener: what clients did before counts for the next one. */
export interface LastingState {
  /** Outcomes of calls that clients repeat. */
  readonly idempotency: IdempotentCalls;
  /** Failed attempts of addresses to authenticate. */
  readonly failures: GatewayAccess["failures"];
}

/** Shown at `/` instead of the web console. */
const CONSOLE_OFF =
  "The web console is switched off; `gateway.console.enabled: true` in the configuration switches it on.";

/** Listener of a host for its clients. */
export interface ClientListener
  extends Pick<Listeners, "port" | "close" | "pause" | "resume" | "retire"> {
  /** Host name with which clients on this machine reach it. */
  readonly host: string;
  readonly access: GatewayAccess;
  readonly lasting: LastingState;
  /** Connections of paired devices. */
  readonly devices: Pick<SocketServer, "hasDevice" | "revokeDevice">;
  /** Sentence for the operator when other machines can reach it. */
  readonly networkNotice: string | undefined;
  /** Closes the listener at once, after a failed start. */
  abort(): Promise<void>;
}

/**
 * Listens for clients over HTTP and WebSocket.
 * @param dependencies - host, configuration and what is served
 * @throws PortTakenError, ListenAddressError, StateFolderError
 */
export async function listenForClients(
  dependencies: ClientListenerDependencies,
): Promise<ClientListener> {
  const {
    server,
    hub,
    host,
    store,
    logger,
    version,
    section = {},
    tokenFile,
    localToken,
  } = dependencies;
  const { receive, ready, isReady, model, methods, openAi, anthropic } = dependencies;
  const { plugins } = host;
  const { now } = host.services;
  const { failures } = dependencies.lasting ?? {};
  const access = createAccess(section, {
    ...{ tokenFile, localToken, logger, failures },
    store: store.nodes.own === undefined ? undefined : store,
  });
  const unshare = access.share(store, systemClock);
  const idempotency =
    dependencies.lasting?.idempotency ?? new server.IdempotentCalls({ calls: store.calls, logger });
  const calls = new server.MethodCalls({
    methods: async () => new server.PluginGatewayMethods(await methods(), { plugins, logger }),
    idempotency,
    limits: access.calls,
    logger,
  });
  const devices = new server.DeviceAccess({
    ...{ store, failures: access.failures, clock: systemClock, logger },
  });
  const streams = new server.EventStreams({ hub, timers: systemClock });
  const sockets = createSocketServer({
    ...{ host, hub, calls, access, devices, version, logger, isReady },
  });
  const metrics = await openMetrics({ host, store, hub, clients: () => ({ sockets, streams }) });
  const network = new NetworkClient({ allowHosts: () => dependencies.allowHosts() });
  const app = server.createHttpApp({
    ...{ version, access, receive, ready, model, now, plugins, calls, logger },
    get agentIds() {
      return host.agentIds;
    },
    models: () => openAi()?.models ?? host.clientModels,
    modelNames: () => anthropic()?.models ?? {},
    estimateTokens: textTokens,
    embeddings: createEmbeddingPort(host.embeddings),
    clientTools: openAi()?.clientTools ?? true,
    fetch: (url, signal) => network.fetch(url, { signal }),
    logins: host.oauth.logins,
    outcomes: host.outcomes,
    clientTurns: host.clientTurns,
    responses: store.messages.responses,
    pendingApproval: (id) => pendingApproval(id, { store, approvals: host.approvals }),
    timers: systemClock,
    webhooks: new server.Webhooks(() => dependencies.webhooks() ?? {}, {
      ...{ now, receive },
      surfaceOf: (name) => host.channels.findSurface({ channel: "webhook", to: name }),
    }),
    ...(section.console?.enabled === false
      ? { consoleNotice: CONSOLE_OFF }
      : { console: dependencies.console }),
    routineWebhooks: new server.RoutineRequests(host.routines.triggers.webhooks, { now }),
    metrics: {
      isPublic: section.metrics?.public === true,
      contentType: metrics.contentType,
      text: () => metrics.text(),
    },
    mcp: { hub, attend: (approver) => host.attend(approver) },
    events: { streams, fullKey: (sessionKey) => host.fullKey(sessionKey) },
  });
  const { hostname, clientHostname, isLoopback } = listenAddressOf(section.bind);
  const { port } = dependencies;
  dependencies.beforeListening?.();
  const http = await server.listen(app, { port, hostname, access, sockets });
  const listeners = new Listeners(http, {
    ...{ sockets, streams },
    settled: () => hub.settled(),
  });
  return {
    port: listeners.port,
    host: clientHostname,
    access,
    lasting: { idempotency, failures: access.failures },
    devices: sockets,
    networkNotice: isLoopback
      ? undefined
      : `other machines can reach ${hostname}:${listeners.port} (gateway.bind)`,
    pause: () => listeners.pause(),
    resume: () => listeners.resume(),
    async retire() {
      await listeners.retire();
      unshare();
      metrics.close();
    },
    async close(reason, drain) {
      await listeners.close(reason, drain);
      unshare();
      metrics.close();
    },
    async abort() {
      unshare();
      metrics.close();
      await listeners.abort();
    },
  };
}
