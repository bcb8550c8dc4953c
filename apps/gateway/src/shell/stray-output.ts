import { Console } from "node:console";
import { Writable } from "node:stream";

/**
 * Receives a line that code of this process printed by itself.
 * @param line - text without the line break
 * @param pluginId - plugin in whose call it was printed; undefined when it was none
 */
export type StrayLineReceiver = (line: string, pluginId: string | undefined) => void;

/** Returns the plugin in whose call code runs; undefined outside of plugins. */
export type CurrentPlugin = () => string | undefined;

/** True while the screen itself writes. */
let isOfScreen = false;

/**
 * Runs work of a screen, which writes to the terminal although other output is diverted.
 * @param work - writes to standard output before it returns
 */
export function asScreen<Result>(work: () => Result): Result {
  const before = isOfScreen;
  isOfScreen = true;
  try {
    return work();
  } finally {
    isOfScreen = before;
  }
}

/**
 * Gives what code of this process prints by itself, for example a plugin with `console.log` or `process.stdout.write`,
 * to a screen that has taken over the terminal; printed between the lines of the screen, it would displace them.
 * @param receive - shows a line
 * @param currentPlugin - tells output of plugins from that of the host
 * @returns function that lets it be printed again
 */
export function divertStrayOutput(
  receive: StrayLineReceiver,
  currentPlugin: CurrentPlugin,
): () => void {
  const { stdout, stderr } = process;
  const lines = new StrayLines(receive, currentPlugin);
  const sink = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      lines.add(chunk.toString());
      done();
    },
  });
  const diverted: Record<string, unknown> = { ...new Console(sink, sink) };
  const usual: Record<string, unknown> = { ...console };
  Object.assign(console, diverted);
  const restore = [
    replaceWrite(stderr, () => true, lines),
    // The screen, and what the host starts or ends it with, write here too.
    replaceWrite(stdout, () => !isOfScreen && currentPlugin() !== undefined, lines),
  ];
  return () => {
    Object.assign(console, usual);
    for (const each of restore) each();
    lines.end();
  };
}

type Callback = (error?: Error | null) => void;

function replaceWrite(
  stream: NodeJS.WriteStream,
  isStray: () => boolean,
  lines: StrayLines,
): () => void {
  const { write } = stream;
  const replaced: typeof stream.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | Callback,
    callback?: Callback,
  ) => {
    const name = typeof encoding === "string" ? encoding : "utf8";
    const done = typeof encoding === "function" ? encoding : callback;
    if (!isStray()) return Reflect.apply(write, stream, [chunk, name, done]);
    lines.add(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString(name));
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  stream.write = replaced;
  return () => {
    if (stream.write === replaced) stream.write = write;
  };
}

/** Collects output into lines, separately for each plugin. */
class StrayLines {
  readonly #receive: StrayLineReceiver;
  readonly #currentPlugin: CurrentPlugin;
  /** Incomplete last lines. */
  readonly #open = new Map<string | undefined, string>();

  constructor(receive: StrayLineReceiver, currentPlugin: CurrentPlugin) {
    this.#receive = receive;
    this.#currentPlugin = currentPlugin;
  }

  add(text: string): void {
    const pluginId = this.#currentPlugin();
    const lines = `${this.#open.get(pluginId) ?? ""}${text}`.split("\n");
    this.#open.set(pluginId, lines.pop() ?? "");
    for (const line of lines) this.#receive(line, pluginId);
  }

  end(): void {
    for (const [pluginId, line] of this.#open) if (line !== "") this.#receive(line, pluginId);
    this.#open.clear();
  }
}
