import { randomUUID } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { type ClientSession, clientSession } from "./wire-messages.js";

/** A connection of a client, and its work in the one session of the database. */
interface Connection {
  readonly socket: Socket;
  readonly session: ClientSession;
  /** Groups of messages that wait, each of which the server answers with the state of its transaction. */
  readonly groups: Uint8Array[];
  isWorking: boolean;
  /** Ends the turn of the connection; set while it has one. */
  endTurn: (() => void) | undefined;
}

/** Ready for the next statement, outside of a transaction. */
const IDLE = "I".charCodeAt(0);

/**
 * PostgreSQL with pgvector, compiled to WebAssembly, which speaks the protocol of a server. The packages of the
 * server that other tests use have no pgvector. The database has one session: connections use it in turn, from the
 * first statement of a transaction to its end.
 */
export class PgliteServer {
  readonly #database: PGlite;
  readonly #server: Server;
  #connections = 0;
  #turns: Promise<void> = Promise.resolve();
  #last: Connection | undefined;

  private constructor(database: PGlite) {
    this.#database = database;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async start(): Promise<PgliteServer> {
    const started = new PgliteServer(await PGlite.create({ extensions: { vector } }));
    await new Promise<void>((listening) => {
      started.#server.listen(0, "127.0.0.1", () => listening());
    });
    return started;
  }

  async stop(): Promise<void> {
    await new Promise<void>((closed) => this.#server.close(() => closed()));
    await this.#database.close();
  }

  /** Returns the URL of a schema that does not exist yet. */
  newUrl(): string {
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    return `postgres://postgres@127.0.0.1:${port}/postgres?schema=test_${randomUUID()}`;
  }

  #accept(socket: Socket): void {
    this.#connections += 1;
    socket.setNoDelay(true);
    const session = clientSession(`c${this.#connections}_`);
    const connection: Connection = {
      ...{ socket, session, groups: [], isWorking: false },
      endTurn: undefined,
    };
    socket.on("data", (bytes) => {
      const { answers, groups, isEnded } = session.take(bytes);
      for (const answer of answers) socket.write(answer);
      connection.groups.push(...groups);
      if (isEnded) socket.end();
      void this.#work(connection);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => void this.#leave(connection));
  }

  async #work(connection: Connection): Promise<void> {
    if (connection.isWorking) return;
    connection.isWorking = true;
    for (let group = connection.groups.shift(); group; group = connection.groups.shift()) {
      if (connection.endTurn === undefined) await this.#begin(connection);
      const answer = await this.#database.execProtocolRaw(group);
      if (answer.at(-1) === IDLE) this.#end(connection);
      connection.socket.write(answer);
    }
    connection.isWorking = false;
  }

  /** Waits for the connections before, and gives the session the settings of this one. */
  async #begin(connection: Connection): Promise<void> {
    const before = this.#turns;
    this.#turns = new Promise((ended) => {
      connection.endTurn = ended;
    });
    await before;
    if (this.#last !== connection) {
      await this.#database.exec(`reset all; ${connection.session.settings()}`);
    }
    this.#last = connection;
  }

  #end(connection: Connection): void {
    connection.endTurn?.();
    connection.endTurn = undefined;
  }

  /** Rolls back what a closed connection left open, and releases its locks. */
  async #leave(connection: Connection): Promise<void> {
    if (connection.endTurn === undefined) return;
    await this.#database.exec("rollback").catch(() => undefined);
    this.#end(connection);
  }
}
