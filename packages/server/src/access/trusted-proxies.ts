import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { plainAddress } from "./client-address.js";

/** Part of a request that says where it comes from. */
export type RoutedRequest = Pick<IncomingMessage, "headers"> & {
  readonly socket: Pick<IncomingMessage["socket"], "remoteAddress">;
};

/**
 * Finds the addresses of clients behind reverse proxies. `X-Forwarded-For` counts only in requests of a proxy in
 * `gateway.trustedProxies`; no other forwarding header is read.
 */
export class TrustedProxies {
  readonly #proxies = new BlockList();

  /** @param proxies - IP addresses, or networks such as `10.0.0.0/8` */
  constructor(proxies: readonly string[] = []) {
    for (const proxy of proxies) {
      const [address = "", bits] = proxy.split("/");
      const family = isIP(address) === 6 ? "ipv6" : "ipv4";
      if (bits === undefined) this.#proxies.addAddress(address, family);
      else this.#proxies.addSubnet(address, Number(bits), family);
    }
  }

  /**
   * Returns true for the address of a proxy.
   * @param address - address of a socket
   */
  includes(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#proxies.check(address, family === 6 ? "ipv6" : "ipv4");
  }

  /**
   * Returns the address of the client: the last one in `X-Forwarded-For` that is not a trusted proxy.
   * @param request - request from a client or a proxy
   */
  clientOf({ socket, headers }: RoutedRequest): string {
    let address = plainAddress(socket.remoteAddress ?? "unknown");
    const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
    while (this.includes(address)) {
      const before = plainAddress((forwarded.pop() ?? "").trim());
      if (isIP(before) === 0) break;
      address = before;
    }
    return address;
  }
}
