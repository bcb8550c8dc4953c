import {
  connectGateway,
  createGatewayClient,
  type GatewayClient,
  type GatewayConnection,
  type GatewayConnectionOptions,
} from "@openclaw/client";
import {
  type ApprovalSummary,
  type GatewayMethodParameters,
  type GatewayMethodResult,
  gatewayEvents,
} from "@openclaw/protocol";
import type { GatewayPort, PortCallOptions, PortEvent, PortMethod } from "@openclaw/server/mcp";

/** Place of a gateway, and the program that uses it. */
export type RemoteGatewayOptions = Required<Pick<GatewayConnectionOptions, "url" | "client">> & {
  readonly token: string;
};

/** A running gateway, reached over the network. */
export class RemoteGateway implements GatewayPort {
  readonly #options: RemoteGatewayOptions;
  readonly #http: GatewayClient;
  readonly #events: GatewayConnection;

  /** @param options - URL, token and name of the program */
  constructor(options: RemoteGatewayOptions) {
    this.#options = options;
    this.#http = createGatewayClient(options);
    this.#events = connectGateway({ ...options, subscribe: ["*"] });
  }

  /**
   * Waits for the gateway.
   * @throws GatewayClientError when it does not respond, or does not accept the token
   */
  async ready(): Promise<void> {
    await this.#events.ready({ attempts: 1 });
  }

  async methods(): Promise<ReadonlySet<string>> {
    const { methods } = await this.#events.ready({ attempts: 1 });
    return new Set(methods);
  }

  // A call over HTTP ends in the gateway when it is aborted; over the WebSocket it would continue.
  call<Name extends PortMethod>(
    method: Name,
    parameters: GatewayMethodParameters<Name>,
    options?: PortCallOptions,
  ): Promise<GatewayMethodResult<Name>> {
    return this.#http.call(method, parameters, options);
  }

  invoke(method: PortMethod, parameters: object, options?: PortCallOptions): Promise<unknown> {
    return this.#http.invoke(method, parameters, options);
  }

  listen(listener: (event: PortEvent | undefined) => void): () => void {
    return this.#events.onAny((event) => {
      if (event.name === "resync") listener(undefined);
      else if (Object.hasOwn(gatewayEvents, event.name)) listener(event as PortEvent);
    });
  }

  async attend(
    sessionKey: string,
    show: (approval: ApprovalSummary) => boolean,
  ): Promise<() => void> {
    const approver = connectGateway({ ...this.#options, approver: true });
    approver.on("approval.requested", ({ payload }) => {
      if (payload.sessionKey === sessionKey && payload.state === "pending") show(payload);
    });
    await approver.ready({ attempts: 1 });
    return () => approver.close();
  }

  /** Ends the connection. */
  close(): void {
    this.#events.close();
  }
}
