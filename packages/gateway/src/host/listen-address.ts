import { BlockList, isIPv6 } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** IP address and host name of the listener. */
export interface ListenAddress {
  /** IP address to listen on. */
  readonly hostname: string;
  /** Name in URLs with which clients on this machine reach it. */
  readonly clientHostname: string;
  /** True when only this machine can reach it. */
  readonly isLoopback: boolean;
}

/**
 * Returns the address to listen on (GW-013).
 * @param bind - value of `gateway.bind`
 */
export function listenAddressOf(bind = "loopback"): ListenAddress {
  if (bind === "loopback") {
    return { hostname: "127.0.0.1", clientHostname: "127.0.0.1", isLoopback: true };
  }
  if (bind === "lan" || bind === "0.0.0.0") {
    return { hostname: "0.0.0.0", clientHostname: "127.0.0.1", isLoopback: false };
  }
  if (bind === "::") return { hostname: bind, clientHostname: "[::1]", isLoopback: false };
  const isV6 = isIPv6(bind);
  return {
    hostname: bind,
    clientHostname: isV6 ? `[${bind}]` : bind,
    isLoopback: LOOPBACK.check(bind, isV6 ? "ipv6" : "ipv4"),
  };
}
