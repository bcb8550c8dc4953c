import { chmod, rm } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { errorMessage } from "@openclaw/foundation";
import type { NetworkPolicy, ResolveHost } from "@openclaw/safety";
import { isAllowed } from "./allow-list.js";

/** Denied hosts that are kept for one job. */
const MOST_DENIED = 50;
const MOST_HOST = 253;

/** Dependencies of {@link EgressProxy}. */
export interface EgressDependencies {
  /** The network check of the host. */
  readonly policy: Pick<NetworkPolicy, "assertAddresses" | "assertLiteral" | "isExempt">;
  readonly resolveHost: ResolveHost;
  /** Returns the hosts that are allowed; undefined for every public host. */
  hosts(): readonly string[] | undefined;
  /**
   * Called once for each host that was denied.
   * @param host - `host:port`
   * @param reason - why
   */
  denied(host: string, reason: string): void;
}

/**
 * The only way of a worker to networks (JOB-044): a proxy for `CONNECT` and HTTP on a Unix socket of its job. It allows the
 * hosts of a list, resolves names by itself, and connects to addresses that passed the network check.
 */
export class EgressProxy {
  readonly path: string;
  readonly #dependencies: EgressDependencies;
  readonly #denied = new Set<string>();
  readonly #sockets = new Set<Duplex>();
  #server: Server | undefined;

  /**
   * @param path - path of the socket
   * @param dependencies - network check, resolver and list
   */
  constructor(path: string, dependencies: EgressDependencies) {
    this.path = path;
    this.#dependencies = dependencies;
  }

  /** Hosts that were denied, oldest first. */
  get denied(): readonly string[] {
    return [...this.#denied];
  }

  /** Begins to listen. */
  async open(): Promise<void> {
    await rm(this.path, { force: true });
    const server = createServer((incoming, response) => {
      void this.#forward(incoming, response);
    });
    server.on("connect", (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.#tunnel(incoming.url ?? "", socket, head);
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.path, resolve);
    });
    await chmod(this.path, 0o600);
    this.#server = server;
  }

  /** Ends all connections, and removes the socket. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    for (const socket of this.#sockets) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(this.path, { force: true });
  }

  /** Tunnels a connection; `head` is what the worker sent together with its request. */
  async #tunnel(target: string, socket: Duplex, head: Buffer): Promise<void> {
    this.#hold(socket);
    try {
      const { hostname, port } = new URL(`https://${target}`);
      const address = await this.#checked({ protocol: "https:", hostname, port });
      const remote = connect({ host: address, port: Number(port || 443) });
      this.#hold(remote);
      remote.on("error", () => socket.destroy());
      remote.once("connect", () => {
        socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        remote.write(head);
        remote.pipe(socket);
        socket.pipe(remote);
      });
    } catch (error) {
      this.#deny(target, error);
      const text = `${errorMessage(error)}\n`;
      const length = Buffer.byteLength(text);
      socket.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${text}`,
      );
    }
  }

  async #forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "", method, headers } = incoming;
    try {
      const target = new URL(url);
      if (target.protocol !== "http:") throw new Error("use CONNECT for other protocols than HTTP");
      const { port, pathname, search } = target;
      const address = await this.#checked(target);
      const { "proxy-connection": _proxy, "proxy-authorization": _token, ...kept } = headers;
      const sent = request(
        {
          ...{ host: address, port: Number(port || 80), method, path: `${pathname}${search}` },
          headers: { ...kept, host: target.host },
          setHost: false,
        },
        (received) => {
          response.writeHead(received.statusCode ?? 502, received.headers);
          received.pipe(response);
        },
      );
      sent.on("error", (error) => {
        if (!response.headersSent) response.writeHead(502);
        response.end(error.message);
      });
      incoming.pipe(sent);
    } catch (error) {
      this.#deny(url, error);
      response.writeHead(403, { "content-type": "text/plain" });
      response.end(`${errorMessage(error)}\n`);
    }
  }

  /** Returns an address of a target that passed the list and the network check. */
  async #checked(target: {
    readonly protocol: string;
    readonly hostname: string;
    readonly port: string;
  }): Promise<string> {
    const { policy, resolveHost, hosts } = this.#dependencies;
    const name = target.hostname.replace(/^\[(.*)\]$/, "$1");
    const isExempt = policy.isExempt(target);
    // The list comes first: a name that is not on it is never resolved.
    const allowed = hosts();
    if (!isExempt && allowed !== undefined && !isAllowed(allowed, name)) {
      throw new Error(
        `${name.slice(0, MOST_HOST)} is not among the hosts that workers may reach; the operator can add it to jobs.sandbox.hosts`,
      );
    }
    const isUsual = target.protocol === "https:" ? ["", "443"] : ["", "80"];
    if (!isExempt && !isUsual.includes(target.port)) {
      throw new Error(`port ${target.port} of ${name} cannot be reached; use the usual port`);
    }
    if (!isExempt) policy.assertLiteral(name);
    if (isIP(name) !== 0) return name;
    const addresses = (await resolveHost(name)).map(({ address }) => address);
    if (!isExempt) policy.assertAddresses(name, addresses);
    const [address] = addresses;
    if (address === undefined) throw new Error(`${name} has no address`);
    return address;
  }

  #deny(target: string, error: unknown): void {
    const host = hostOf(target);
    if (this.#denied.has(host) || this.#denied.size >= MOST_DENIED) return;
    this.#denied.add(host);
    this.#dependencies.denied(host, errorMessage(error));
  }

  #hold(socket: Duplex | Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#sockets.delete(socket));
  }
}

/** Returns the host of a target, without a path that could hold anything. */
function hostOf(target: string): string {
  const [, host = ""] = /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?([^/?#]*)/i.exec(target) ?? [];
  return host.replace(/[^\w.:[\]-]/g, "?").slice(0, MOST_HOST);
}
