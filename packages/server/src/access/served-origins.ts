import type { IncomingMessage } from "node:http";
import { ForeignRequestError, InvalidHttpError } from "../errors.js";
import { plainAddress } from "./client-address.js";

/** Part of a request that names its host and the page it comes from. */
export type OriginatingRequest = Pick<IncomingMessage, "headers" | "headersDistinct"> & {
  readonly socket: Pick<IncomingMessage["socket"], "localAddress" | "localPort">;
};

/** Hosts and origins that a gateway accepts. */
export interface ServedOriginsOptions {
  /** Host names, with a port or for every port, of `gateway.trustedHosts`. */
  readonly trustedHosts?: readonly string[] | undefined;
  /** Exact origins, `gateway.allowedOrigins`. */
  readonly allowedOrigins?: readonly string[] | undefined;
}

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Rejects requests of foreign web pages (GW-015). */
export class ServedOrigins {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  /** @param options - hosts and origins in addition to loopback */
  constructor({ trustedHosts = [], allowedOrigins = [] }: ServedOriginsOptions = {}) {
    this.#hosts = new Set(trustedHosts.map((host) => host.toLowerCase()));
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
  }

  /**
   * Rejects other host names, because a page that rebinds its name to this machine still sends its own name. An IP
   * address cannot be rebound, so the address at which the connection arrived is accepted.
   * @param request - request from a client
   * @throws InvalidHttpError when there is not exactly one header `Host`
   * @throws ForeignRequestError when it names a host that is neither loopback nor listed
   */
  checkHost({ headers, headersDistinct, socket }: OriginatingRequest): void {
    const host = (headers.host ?? "").toLowerCase();
    const name = host.replace(/:\d+$/, "");
    if (headersDistinct.host?.length !== 1) {
      throw new InvalidHttpError(
        "the request must have one Host header; send the name of one host",
      );
    }
    const isServed =
      LOOPBACK_NAMES.has(name) ||
      this.#hosts.has(host) ||
      this.#hosts.has(name) ||
      isAddress(name, socket.localAddress);
    if (!isServed) throw new ForeignRequestError("Host", host);
  }

  /**
   * Rejects requests of pages that this gateway does not serve. Programs send no `Origin` and are accepted.
   * @param request - request whose host was checked
   * @throws ForeignRequestError when the header `Origin` is neither an origin of the gateway nor listed
   */
  checkOrigin(request: Pick<OriginatingRequest, "headers" | "socket">): void {
    const { origin, host = "" } = request.headers;
    if (origin === undefined || this.allows(origin, request)) return;
    if (origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
      throw new ForeignRequestError("Origin", origin);
    }
  }

  /**
   * Returns true for an origin whose pages may read responses: the address and port of the connection, `localhost` with
   * that port, and those of `gateway.allowedOrigins` (CHAN-030).
   * @param origin - value of the header `Origin`
   * @param request - request that has it
   */
  allows(origin: string, { socket }: Pick<OriginatingRequest, "socket">): boolean {
    const name = origin.toLowerCase();
    return this.#origins.has(name) || ownOrigins(socket).includes(name);
  }
}

function isAddress(name: string, localAddress: string | undefined): boolean {
  return localAddress !== undefined && name === hostOf(localAddress);
}

/** Origins of the pages that the gateway serves on a connection; none once the connection is closed. */
function ownOrigins({ localAddress, localPort }: OriginatingRequest["socket"]): readonly string[] {
  if (localAddress === undefined || localPort === undefined) return [];
  // A URL omits the default port, as browsers do.
  return [hostOf(localAddress), "localhost"].map(
    (host) => new URL(`http://${host}:${localPort}`).origin,
  );
}

/** Returns an IP address as a URL has it. */
function hostOf(localAddress: string): string {
  const address = plainAddress(localAddress);
  return address.includes(":") ? `[${address}]` : address;
}
