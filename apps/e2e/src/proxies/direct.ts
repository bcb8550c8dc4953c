import dns from "node:dns";
import dnsPromises from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { connect } from "node:net";
import { createServer } from "node:tls";
import { SECURE_EXAMPLE } from "./certificate.js";
import { listen } from "./servers.js";

/** Server with the certificate of `secure.example`, which requests reach without a proxy. */
export interface DirectServer extends Disposable {
  readonly port: number;
  /**
   * Leads later connections to a plain server.
   * @param port - its port on 127.0.0.1
   */
  leadTo(port: number): void;
}

/** Starts a server whose URL is known before the server that it leads to. */
export async function startDirectServer(): Promise<DirectServer> {
  let target = 0;
  const server = createServer(SECURE_EXAMPLE, (socket) => {
    const onward = connect(target, "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) {
      each.on("error", () => {
        socket.destroy();
        onward.destroy();
      });
    }
  });
  return {
    port: await listen(server),
    leadTo(port) {
      target = port;
    },
    [Symbol.dispose]: () => void server.close(),
  };
}

/**
 * Lets this process resolve every name below `example` to an address.
 * @param address - the IP address
 */
export function resolveExamples(address: string): Disposable {
  const replaced = [dns, dnsPromises].map((module) => {
    const { lookup } = module;
    const own = (hostname: string, ...rest: unknown[]): unknown =>
      Reflect.apply(lookup, module, [hostname.endsWith(".example") ? address : hostname, ...rest]);
    Reflect.set(module, "lookup", own);
    return () => void Reflect.set(module, "lookup", lookup);
  });
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]() {
      for (const restore of replaced) restore();
      syncBuiltinESMExports();
    },
  };
}
