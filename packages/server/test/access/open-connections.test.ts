import { Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { OpenConnections } from "../../src/access/open-connections.js";
import { TrustedProxies } from "../../src/access/trusted-proxies.js";

/** Returns a socket that an address opened. */
function socketOf(address: string): Socket {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: address });
  onTestFinished(() => void socket.destroy());
  return socket;
}

function counted(proxies: readonly string[] = []) {
  const limits = { connections: 10, connectionsPerAddress: 2, connectionsPerLocalAddress: 4 };
  const open = new OpenConnections(limits, new TrustedProxies(proxies));
  return (address: string) => {
    const socket = socketOf(address);
    open.add(socket);
    return socket;
  };
}

describe("OpenConnections", () => {
  it("[GW-017] limits the connections of a remote address, and names the setting", async () => {
    const add = counted();
    const [first] = [add("203.0.113.7"), add("::ffff:203.0.113.7")];
    expect(() => add("203.0.113.7")).toThrow(
      "203.0.113.7 has 2 open connections, the limit of an address (gateway.limits.connectionsPerAddress)",
    );
    add("203.0.113.8");
    await new Promise((resolve) => first.once("close", resolve).destroy());
    add("203.0.113.7");
  });

  it("[GW-300] gives loopback and trusted proxies a higher limit", () => {
    const add = counted(["192.0.2.0/24"]);
    for (const address of ["127.0.0.1", "192.0.2.9"]) {
      for (let count = 0; count < 4; count += 1) add(address);
      expect(() => add(address)).toThrow("gateway.limits.connectionsPerLocalAddress");
    }
  });
});
