import { randomFillSync } from "node:crypto";

/** Destination of the standard streams of a component. */
export interface GuestOutput {
  /** Receives the text that the component writes to its standard output or standard error. */
  write(stream: "stdout" | "stderr", text: string): void;
}

/** Longest random data of one call, in bytes. */
const MAX_RANDOM_BYTES = 1024 * 1024;
const PERMITTED_WRITE = 65_536n;

class IoError {
  toDebugString(): string {
    return "the host offers no files and no network";
  }
}

/** Is always ready: the components have nothing that they could wait for. */
class Pollable {
  ready(): boolean {
    return true;
  }
  block(): void {}
}

class InputStream {
  read(): never {
    throw closed();
  }
  blockingRead(): never {
    throw closed();
  }
  skip(): never {
    throw closed();
  }
  blockingSkip(): never {
    throw closed();
  }
  subscribe(): Pollable {
    return new Pollable();
  }
}

class OutputStream {
  readonly #write: (bytes: Uint8Array) => void;

  constructor(write: (bytes: Uint8Array) => void = () => {}) {
    this.#write = write;
  }
  checkWrite(): bigint {
    return PERMITTED_WRITE;
  }
  write(bytes: Uint8Array): void {
    this.#write(bytes);
  }
  blockingWriteAndFlush(bytes: Uint8Array): void {
    this.#write(bytes);
  }
  flush(): void {}
  blockingFlush(): void {}
  writeZeroes(): void {}
  blockingWriteZeroesAndFlush(): void {}
  splice(): never {
    throw closed();
  }
  blockingSplice(): never {
    throw closed();
  }
  subscribe(): Pollable {
    return new Pollable();
  }
}

class TerminalInput {}
class TerminalOutput {}

/** Thrown when a component ends itself. */
class GuestExit extends Error {
  constructor(isOk: boolean) {
    super(isOk ? "it called exit" : "it called exit with a failure");
  }
}

/**
 * Returns the interfaces of WASI for one instance: clocks, random numbers and output, without files, network, arguments and
 * environment. The functions of interfaces that are denied throw when they are called.
 * @param output - receives what the component prints
 */
export function wasiImports(output: GuestOutput): Record<string, object> {
  const stream = (name: "stdout" | "stderr") =>
    new OutputStream((bytes) => output.write(name, new TextDecoder().decode(bytes)));
  const random = {
    getRandomBytes: randomBytes,
    getRandomU64: randomNumber,
    getInsecureRandomBytes: randomBytes,
    getInsecureRandomU64: randomNumber,
    insecureSeed: () => [randomNumber(), randomNumber()],
  };
  const clock = () => process.hrtime.bigint();
  return {
    "wasi:cli/environment": {
      getEnvironment: () => [],
      getArguments: () => [],
      initialCwd: () => undefined,
    },
    "wasi:cli/exit": {
      exit(status: { tag: "ok" | "err" }) {
        throw new GuestExit(status.tag === "ok");
      },
    },
    "wasi:cli/stdin": { getStdin: () => new InputStream() },
    "wasi:cli/stdout": { getStdout: () => stream("stdout") },
    "wasi:cli/stderr": { getStderr: () => stream("stderr") },
    "wasi:cli/terminal-input": { TerminalInput },
    "wasi:cli/terminal-output": { TerminalOutput },
    "wasi:cli/terminal-stdin": { getTerminalStdin: () => undefined },
    "wasi:cli/terminal-stdout": { getTerminalStdout: () => undefined },
    "wasi:cli/terminal-stderr": { getTerminalStderr: () => undefined },
    "wasi:clocks/monotonic-clock": {
      now: clock,
      resolution: () => 1n,
      subscribeDuration: () => new Pollable(),
      subscribeInstant: () => new Pollable(),
    },
    "wasi:clocks/wall-clock": {
      now: wallTime,
      resolution: () => ({ seconds: 0n, nanoseconds: 1_000_000 }),
    },
    "wasi:filesystem/preopens": { getDirectories: () => [] },
    "wasi:filesystem/types": denied(),
    "wasi:io/error": { Error: IoError },
    "wasi:io/poll": {
      Pollable,
      poll: (list: readonly unknown[]) => Uint32Array.from(list, (_, index) => index),
    },
    "wasi:io/streams": { InputStream, OutputStream },
    "wasi:random/random": random,
    "wasi:random/insecure": random,
    "wasi:random/insecure-seed": random,
    ...Object.fromEntries(
      [
        "instance-network",
        "ip-name-lookup",
        "network",
        "tcp",
        "tcp-create-socket",
        "udp",
        "udp-create-socket",
      ].map((name) => [`wasi:sockets/${name}`, denied()]),
    ),
  };
}

/** Interface whose functions throw, and whose classes cannot be created by the component. */
function denied(): object {
  const members = new Map<PropertyKey, unknown>();
  return new Proxy(
    {},
    {
      get(_target, name) {
        if (!members.has(name)) members.set(name, deniedMember(String(name)));
        return members.get(name);
      },
    },
  );
}

function deniedMember(name: string): unknown {
  return class Denied {
    constructor() {
      throw new Error(`${name} is not offered to components`);
    }
  };
}

function closed(): object {
  return { payload: { tag: "closed" } };
}

function randomBytes(length: bigint): Uint8Array {
  if (length > MAX_RANDOM_BYTES) throw new Error(`more than ${MAX_RANDOM_BYTES} random bytes`);
  return randomFillSync(new Uint8Array(Number(length)));
}

function randomNumber(): bigint {
  return new DataView(randomBytes(8n).buffer).getBigUint64(0);
}

function wallTime(): { seconds: bigint; nanoseconds: number } {
  const milliseconds = Date.now();
  return {
    seconds: BigInt(Math.floor(milliseconds / 1000)),
    nanoseconds: (milliseconds % 1000) * 1_000_000,
  };
}
