import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** Message between the platform and a bot, one line of JSON. */
export interface PlatformLine {
  readonly id?: string;
  readonly from?: string;
  readonly room?: string;
  readonly to?: string;
  readonly text: string;
}

/** A chat server of lines of JSON, which one bot connects to. */
export class LinePlatform {
  readonly #server = createServer((socket) => this.#connect(socket));
  readonly #bots = new Set<Socket>();
  /** Lines that bots sent, oldest first. */
  readonly sent: PlatformLine[] = [];
  connections = 0;

  /** Starts the server on a free port. */
  static async start(): Promise<LinePlatform> {
    const platform = new LinePlatform();
    platform.#server.listen(0, "127.0.0.1");
    await once(platform.#server, "listening");
    return platform;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Number of connected bots. */
  get bots(): number {
    return this.#bots.size;
  }

  /** Sends a message of a person to the bots. */
  write(line: PlatformLine): void {
    for (const bot of this.#bots) bot.write(`${JSON.stringify(line)}\n`);
  }

  /** Ends the connections of the bots. */
  drop(): void {
    for (const bot of this.#bots) bot.destroy();
  }

  async close(): Promise<void> {
    this.drop();
    this.#server.close();
    await once(this.#server, "close");
  }

  #connect(socket: Socket): void {
    this.connections += 1;
    this.#bots.add(socket);
    socket.on("close", () => this.#bots.delete(socket));
    socket.on("error", () => undefined);
    createInterface({ input: socket }).on("line", (line) => this.sent.push(JSON.parse(line)));
  }
}
