import type { Readable, Writable } from "node:stream";
import { type Descriptor, type GroupEnd, type GroupStreams, runProcessGroup } from "../group.js";
import type { Endpoint, Endpoints } from "./redirections.js";

/** A program that is ready to be started. */
export interface PreparedProgram {
  /** Absolute. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly endpoints: Endpoints;
  /** Variables over those of the pipeline. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** Folder, environment and streams of the programs of a pipeline. */
export interface PipelineScene {
  /** Absolute. */
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly onOutput: (text: string) => void;
  /** Gets what the last program writes to its standard output; `onOutput` gets it when absent. */
  readonly onKept?: ((text: string) => void) | undefined;
  /** Gets the input of the first program; without it that input is empty. */
  readonly onInput?: ((input: Writable) => void) | undefined;
}

/**
 * Runs programs that are connected by pipes, each as the leader of a separate process group. The pipeline
 * ends with its last program, as in a shell; leftovers of any program count.
 * @param programs - at least one
 * @param scene - folder, environment and streams
 * @param signal - ends all of them early
 */
export async function runPipeline(
  programs: readonly PreparedProgram[],
  scene: PipelineScene,
  signal: AbortSignal,
): Promise<GroupEnd> {
  const started: GroupStreams[] = [];
  const last = programs.length - 1;
  // Started together, and connected before any program can write.
  const running = programs.map(({ program, arguments: words, endpoints, environment }, index) => {
    const hasInput = index > 0 || scene.onInput !== undefined;
    return runProcessGroup(
      {
        program,
        arguments: words,
        workdir: scene.workdir,
        environment: { ...scene.environment, ...environment },
        onOutput: scene.onOutput,
        connection: {
          descriptors: [
            descriptorOf(endpoints[0], hasInput),
            descriptorOf(endpoints[1], true),
            descriptorOf(endpoints[2], true),
          ],
          feedsNext: index < last,
          onStart: (streams) => {
            started[index] = streams;
          },
        },
      },
      signal,
    );
  });
  for (const [index, { endpoints }] of programs.entries()) {
    const streams = started[index];
    if (streams === undefined) continue;
    const [input] = endpoints;
    if (isText(input)) streams.input?.end(input.text);
    else if (index === 0 && streams.input !== null) scene.onInput?.(streams.input);
    const piped: Readable[] = [];
    connect(streams.output, endpoints[1]);
    connect(streams.errors, endpoints[2]);
    const next = programs[index + 1]?.endpoints[0];
    const target = next === "input" ? (started[index + 1]?.input ?? null) : null;
    if (index < last) feed(piped, target, streams.signalBrokenPipe);

    function connect(stream: Readable | null, endpoint: Endpoint): void {
      if (stream === null) return;
      if (endpoint === "output" && index < last) piped.push(stream);
      else {
        const onText = endpoint === "output" ? (scene.onKept ?? scene.onOutput) : scene.onOutput;
        stream.setEncoding("utf8").on("data", onText);
      }
    }
  }
  const ends = await Promise.all(running);
  const end = ends[last];
  if (end === undefined) throw new RangeError("a pipeline needs a program");
  return { ...end, leftovers: ends.some(({ leftovers }) => leftovers) };
}

function descriptorOf(endpoint: Endpoint, isOpen: boolean): Descriptor {
  if (endpoint === "nothing") return "ignore";
  if (isText(endpoint)) return "pipe";
  if (typeof endpoint === "string") return isOpen ? "pipe" : "ignore";
  return endpoint.fd;
}

function isText(endpoint: Endpoint): endpoint is { readonly text: string } {
  return typeof endpoint === "object" && "text" in endpoint;
}

/**
 * Passes what a program writes on to the next one, until either side ends. The host's pipes are sockets:
 * closing one early is an error to the writer, so the signal of a broken pipe comes first.
 */
function feed(
  sources: readonly Readable[],
  target: Writable | null,
  signalBrokenPipe: () => void,
): void {
  const stopReading = () => {
    for (const source of sources) {
      source.unpipe();
      source.once("data", () => {
        signalBrokenPipe();
        source.destroy();
      });
      source.resume();
    }
  };
  // The next program reads another input.
  if (target === null) {
    stopReading();
    return;
  }
  let open = sources.length;
  if (open === 0) target.end();
  for (const source of sources) {
    source.pipe(target, { end: false });
    source.once("close", () => {
      open -= 1;
      if (open === 0) target.end();
    });
  }
  target.once("close", stopReading);
}
