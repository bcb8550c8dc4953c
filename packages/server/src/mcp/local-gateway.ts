import { randomUUID } from "node:crypto";
import type { Approver } from "@openclaw/messaging";
import type {
  ApprovalSummary,
  GatewayMethodParameters,
  GatewayMethodResult,
  MethodCaller,
} from "@openclaw/protocol";
import type { MethodCalls } from "../calls/method-calls.js";
import type { EventHub } from "../events/event-hub.js";
import type { GatewayPort, PortCallOptions, PortEvent, PortMethod } from "./gateway-port.js";

/** Dependencies of {@link LocalGateway}. */
export interface LocalGatewayDependencies {
  readonly calls: Pick<MethodCalls, "execute" | "names">;
  readonly hub: Pick<EventHub, "subscribe">;
  /**
   * Adds an approver to the host.
   * @param approver - shows the requests of a session
   * @returns function that removes it
   */
  attend(approver: Approver): () => void;
}

/** The gateway in whose process a request of an MCP client arrived. */
export class LocalGateway implements GatewayPort {
  readonly #dependencies: LocalGatewayDependencies;
  readonly #caller: MethodCaller;

  /**
   * @param caller - authenticated client
   * @param dependencies - calls and events
   */
  constructor(caller: MethodCaller, dependencies: LocalGatewayDependencies) {
    this.#caller = caller;
    this.#dependencies = dependencies;
  }

  async methods(): Promise<ReadonlySet<string>> {
    return new Set(await this.#dependencies.calls.names(this.#caller.scopes));
  }

  async call<Name extends PortMethod>(
    method: Name,
    parameters: GatewayMethodParameters<Name>,
    options: PortCallOptions = {},
  ): Promise<GatewayMethodResult<Name>> {
    // The gateway checks its results in its tests against the schema that this type is derived from.
    return (await this.invoke(method, parameters, options)) as GatewayMethodResult<Name>;
  }

  async invoke(
    method: PortMethod,
    parameters: object,
    { signal = NEVER, idempotencyKey = randomUUID() }: PortCallOptions = {},
  ): Promise<unknown> {
    const caller = this.#caller;
    const call = { method, params: parameters, caller, signal, idempotencyKey };
    const outcome = await this.#dependencies.calls.execute(call);
    if (!outcome.ok) throw outcome.status;
    return outcome.payload;
  }

  listen(listener: (event: PortEvent | undefined) => void): () => void {
    return this.#dependencies.hub.subscribe({
      caller: this.#caller,
      wants: () => true,
      // Publishing is typed by the table of events.
      send: ({ name, json }) => listener({ name, payload: JSON.parse(json) } as PortEvent),
    });
  }

  async attend(
    sessionKey: string,
    show: (approval: ApprovalSummary) => boolean,
  ): Promise<() => void> {
    return this.#dependencies.attend({
      channel: "mcp",
      sessionKey,
      show: (approval) => approval.state === "pending" && show(approval),
    });
  }
}

const NEVER = new AbortController().signal;
