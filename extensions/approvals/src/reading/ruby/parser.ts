import { getRandomValues } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parsePrism } from "@ruby/prism/src/parsePrism.js";
import { isNode, isRecord, type RubyNode } from "./tree.js";

/** A parsed program. It is plain without errors and without comments that choose how the text is read. */
interface ParsedRuby {
  readonly tree: RubyNode;
  readonly isPlain: boolean;
}

const WASI = "wasi_snapshot_preview1";
/** Number of the error that memory is not available. */
const FAILED = 48;

let exported: Promise<WebAssembly.Exports> | undefined;

/**
 * Parses a program with the parser of Ruby.
 * @param code - text of the program
 * @returns undefined when it has errors, or comments that choose its encoding
 */
export async function parseRuby(code: string): Promise<RubyNode | undefined> {
  exported ??= loadParser();
  const { tree, isPlain } = plain(parsePrism(await exported, code));
  return isPlain ? tree : undefined;
}

/** The parser needs only random numbers of the system; any other call of it fails. */
async function loadParser(): Promise<WebAssembly.Exports> {
  const file = fileURLToPath(import.meta.resolve("@ruby/prism/src/prism.wasm"));
  const module = await WebAssembly.compile(await readFile(file));
  const system: Record<string, (...words: number[]) => number> = {};
  for (const { name } of WebAssembly.Module.imports(module)) {
    system[name] = () => {
      throw new Error(`The parser of Ruby called ${name} of the system`);
    };
  }
  let memory: unknown;
  system.random_get = (start = 0, length = 0) => {
    if (!(memory instanceof WebAssembly.Memory)) return FAILED;
    getRandomValues(new Uint8Array(memory.buffer, start, length));
    return 0;
  };
  const { exports } = await WebAssembly.instantiate(module, { [WASI]: system });
  ({ memory } = exports);
  if (typeof exports._initialize === "function") exports._initialize();
  return exports;
}

/** Returns the result as plain values. */
function plain(result: unknown): ParsedRuby {
  const text = JSON.stringify(result, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  const parsed: unknown = JSON.parse(text);
  const { value, errors, magicComments } = isRecord(parsed) ? parsed : {};
  if (!isNode(value)) throw new TypeError("The parser of Ruby returned no tree");
  return {
    tree: value,
    isPlain: isEmpty(errors) && isEmpty(magicComments),
  };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
