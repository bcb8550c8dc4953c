import { Socket } from "node:net";
import { parentPort } from "node:worker_threads";
import { FrameReader, frameOf, PIPE } from "../frames.js";
import { type Answer, type ChildMessage, type HostMessage, restoredError } from "../message.js";

/** Connection of an isolated plugin to its host. */
export class HostPort {
  readonly #send: (message: ChildMessage) => void;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #uses = 0;

  /** @param receive - receiver of the messages of the host, except answers and signs of life */
  constructor(receive: (message: HostMessage) => void) {
    const take = (message: HostMessage) => {
      if (message.kind === "ping") return this.send({ kind: "pong" });
      if (message.kind !== "answer") return receive(message);
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    };
    if (parentPort !== null) {
      const port = parentPort;
      this.#send = (message) => port.postMessage(message);
      port.on("message", take);
      return;
    }
    const pipe = new Socket({ fd: PIPE, readable: true, writable: true });
    const reader = new FrameReader();
    this.#send = (message) => void pipe.write(frameOf(message));
    pipe.on("data", (chunk) => reader.push(chunk, (message) => take(message as HostMessage)));
    // Without a host there is nothing to do.
    pipe.on("close", () => process.exit());
    pipe.on("error", () => process.exit());
  }

  /**
   * Sends a message.
   * @throws DataCloneError for a value that cannot cross
   */
  send(message: ChildMessage): void {
    this.#send(message);
  }

  /**
   * Uses a member of the host's `api`.
   * @param member - for example `store.kv.get`
   * @param values - arguments
   */
  async use(member: string, ...values: unknown[]): Promise<unknown> {
    this.#uses += 1;
    const id = this.#uses;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    try {
      this.send({ kind: "use", id, member, values });
    } catch (error) {
      this.#waiting.delete(id);
      throw error;
    }
    const answer = await answered;
    if ("error" in answer) throw restoredError(answer.error);
    return answer.value;
  }

  /** Uses a member of the host's `api` without waiting for it. */
  tell(member: string, ...values: unknown[]): void {
    this.send({ kind: "use", member, values });
  }
}
