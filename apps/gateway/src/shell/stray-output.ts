import { Console } from "node:console";
import { Writable } from "node:stream";

/**
 * Gives what code of this process prints by itself, for example a plugin with `console.log`, to a screen that has
 * taken over the terminal; printed between the lines of the screen, it would displace them.
 * @param receive - shows a line
 * @returns function that lets it be printed again
 */
export function divertStrayOutput(receive: (line: string) => void): () => void {
  const { stderr } = process;
  const lines = new LineSink(receive);
  const diverted: Record<string, unknown> = { ...new Console(lines, lines) };
  const usual: Record<string, unknown> = { ...console };
  const { write } = stderr;
  Object.assign(console, diverted);
  stderr.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    callback?: (error?: Error | null) => void,
  ) => {
    if (typeof encoding === "function") return lines.write(chunk, encoding);
    return lines.write(chunk, encoding ?? "utf8", callback);
  };
  return () => {
    Object.assign(console, usual);
    stderr.write = write;
    lines.end();
  };
}

/** Stream that gives each complete line to a receiver, and the rest when it ends. */
class LineSink extends Writable {
  readonly #receive: (line: string) => void;
  #open = "";

  constructor(receive: (line: string) => void) {
    super({ decodeStrings: false });
    this.#receive = receive;
  }

  override _write(chunk: string | Buffer, _: BufferEncoding, done: () => void): void {
    const lines = `${this.#open}${chunk.toString()}`.split("\n");
    this.#open = lines.pop() ?? "";
    for (const line of lines) this.#receive(line);
    done();
  }

  override _final(done: () => void): void {
    if (this.#open !== "") this.#receive(this.#open);
    done();
  }
}
