import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Point of a commit at which the connection is cut. */
export type CommitFault = "before the server has it" | "before the client has the answer";

/** Proxy to a PostgreSQL server whose connections can be cut. */
export interface TcpProxy {
  readonly port: number;
  /** Cuts every open connection; new ones can be opened. */
  cut(): void;
  /** Cuts the connection of the next commit. */
  cutNextCommit(fault: CommitFault, options?: { andStayAway?: boolean }): void;
}

/** Commit as the client sends it, and as the server confirms it. */
const COMMIT = Buffer.from("Q\0\0\0\x0bcommit\0", "latin1");
const COMMITTED = Buffer.from("COMMIT\0", "latin1");

/**
 * Starts a proxy and ends it with the test.
 * @param target - port of the server on this machine
 */
export async function startProxy(target: number): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let fault: CommitFault | undefined;
  let isAway = false;
  let staysAway = false;
  const strike = (pair: readonly [Socket, Socket]) => {
    fault = undefined;
    isAway = staysAway;
    for (const socket of pair) socket.destroy();
  };
  const server = createServer((client) => {
    if (isAway) return void client.destroy();
    const upstream = connect(target, "127.0.0.1");
    const pair = [client, upstream] as const;
    pairs.add(pair);
    let awaitsAnswer = false;
    client.on("data", (bytes) => {
      const isCommit = fault !== undefined && bytes.includes(COMMIT);
      if (isCommit && fault === "before the server has it") return strike(pair);
      awaitsAnswer ||= isCommit;
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (awaitsAnswer && bytes.includes(COMMITTED)) return strike(pair);
      client.write(bytes);
    });
    for (const [socket, other] of [pair, [upstream, client] as const]) {
      socket.on("error", () => {});
      socket.on("close", () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the proxy has no port");
  return {
    port: address.port,
    cut,
    cutNextCommit(next, { andStayAway = false } = {}) {
      fault = next;
      staysAway = andStayAway;
    },
  };
}
