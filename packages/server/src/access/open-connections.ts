import type { Socket } from "node:net";
import { RateLimitedError } from "../errors.js";
import { isLoopbackAddress, networkOf } from "./client-address.js";
import type { AccessLimits } from "./limits.js";
import type { TrustedProxies } from "./trusted-proxies.js";

/** Time in milliseconds after which a rejected client should try again. */
const RETRY_AFTER_MS = 1000;

type ConnectionLimits = Pick<
  AccessLimits,
  "connections" | "connectionsPerAddress" | "connectionsPerLocalAddress"
>;

/** Counts the open connections of a listener, WebSockets included (GW-017). */
export class OpenConnections {
  readonly #limits: ConnectionLimits;
  readonly #proxies: Pick<TrustedProxies, "includes">;
  readonly #byNetwork = new Map<string, number>();
  #total = 0;

  /**
   * @param limits - maximum numbers of connections
   * @param proxies - proxies, whose connections are those of many clients
   */
  constructor(limits: ConnectionLimits, proxies: Pick<TrustedProxies, "includes">) {
    this.#limits = limits;
    this.#proxies = proxies;
  }

  /**
   * Counts a connection until it closes.
   * @param socket - accepted connection
   * @throws RateLimitedError when there are too many; the connection is not counted
   */
  add(socket: Socket): void {
    const address = socket.remoteAddress ?? "unknown";
    const network = networkOf(address);
    const { connections } = this.#limits;
    if (this.#total >= connections) {
      const problem = `the gateway has ${connections} open connections, its limit (gateway.limits.connections)`;
      throw new RateLimitedError(problem, RETRY_AFTER_MS);
    }
    const own = this.#byNetwork.get(network) ?? 0;
    const key = this.#limitOf(address);
    if (own >= this.#limits[key]) {
      const problem = `${address} has ${own} open connections, the limit of an address (gateway.limits.${key})`;
      throw new RateLimitedError(problem, RETRY_AFTER_MS);
    }
    this.#total += 1;
    this.#byNetwork.set(network, own + 1);
    socket.once("close", () => {
      this.#total -= 1;
      const left = (this.#byNetwork.get(network) ?? 1) - 1;
      if (left === 0) this.#byNetwork.delete(network);
      else this.#byNetwork.set(network, left);
    });
  }

  /** Programs of the same machine, and the clients of a proxy, share one address. */
  #limitOf(address: string): "connectionsPerAddress" | "connectionsPerLocalAddress" {
    return isLoopbackAddress(address) || this.#proxies.includes(address)
      ? "connectionsPerLocalAddress"
      : "connectionsPerAddress";
  }
}
