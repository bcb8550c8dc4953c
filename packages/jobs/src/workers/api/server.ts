import { chmod, mkdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { dirname } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { WorkerApiError } from "../errors.js";

/** Length of the path of a Unix socket that every system accepts. */
const MOST_PATH = 103;

/** Listener of the worker API: a Unix socket, which is shown inside the sandbox of a worker. */
export class WorkerServer {
  readonly path: string;
  readonly #app: Hono;
  #opening: Promise<Server> | undefined;

  /**
   * @param path - path of the socket
   * @param app - the API
   */
  constructor(path: string, app: Hono) {
    this.path = path;
    this.#app = app;
  }

  /**
   * Begins to listen, once.
   * @throws WorkerApiError when the socket cannot be created
   */
  async open(): Promise<void> {
    this.#opening ??= this.#listen();
    await this.#opening.catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
  }

  /** Ends all connections, and removes the socket. */
  async close(): Promise<void> {
    const server = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(this.path, { force: true });
  }

  async #listen(): Promise<Server> {
    if (Buffer.byteLength(this.path) > MOST_PATH) {
      throw new WorkerApiError(
        `the path of its socket, ${this.path}, is longer than ${MOST_PATH} bytes; use a shorter state folder, OPENCLAW_STATE_DIR`,
      );
    }
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    // Of an earlier process: the lock of the state folder lets only one run.
    await rm(this.path, { force: true });
    const server = createServer(getRequestListener((request) => this.#app.fetch(request)));
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error) => reject(new WorkerApiError(error.message)));
      server.listen(this.path, resolve);
    });
    await chmod(this.path, 0o600);
    return server;
  }
}
