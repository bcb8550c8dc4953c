import { embed, literal, witOf } from "./component-builder.js";

/** Text of a channel component. */
export interface ChannelText {
  readonly name?: string;
  readonly endpoints?: readonly {
    readonly path: string;
    readonly methods?: readonly string[];
    readonly requireSecret?: boolean;
  }[];
  /** Interval of polling in milliseconds; without polling when absent. */
  readonly pollMs?: number;
  /** Error of `on-start`. */
  readonly startError?: string;
  /**
   * Instructions of `on-http-request` before its response. Locals are the fields of the request, for example `$body` and
   * `$body-length`; `$emit` emits a text of `alice`, with the query as its metadata.
   */
  readonly onHttpRequest?: string;
  /** Status of the response. */
  readonly status?: number;
  readonly onPoll?: string;
  /** Instructions of `on-respond`, before its success. Locals are `$content`, `$metadata` and their lengths. */
  readonly onRespond?: string;
  /** File of its WIT. */
  readonly wit?: "channel.wit" | "channel-0.3.wit";
  /** Imports of host functions after `log` and `emit-message`. */
  readonly imports?: string;
  /** Further fields. Bytes from 4096 to 8191 are free for data. */
  readonly fields?: string;
}

const DATA = 16_384;

/**
 * Builds a component of the world `sandboxed-channel`. Without further instructions it emits the body of each request,
 * responds with the path, and writes replies, statuses and its shutdown to the log.
 */
export async function buildChannel(text: ChannelText = {}): Promise<Uint8Array> {
  const { wit = "channel.wit", status = 200, imports = "", fields = "", pollMs } = text;
  const witSource = witOf(wit);
  const isNewer = wit === "channel-0.3.wit";
  const version = isNewer ? (/^package near:agent(@[\d.]+);/m.exec(witSource)?.[1] ?? "") : "";
  const data = new DataSegments(DATA);
  const start = startText(text, data);
  const host = `near:agent/channel-host${version}`;
  const world = `near:agent/channel${version}`;
  const attachments = isNewer ? "(param i32 i32)" : "";
  const shutdown = data.text("shutdown");
  const done = "(i32.store8 (i32.const 64) (i32.const 0)) (i32.const 64)";
  return await embed(
    witSource,
    `(module
      (import "${host}" "log" (func $log (param i32 i32 i32)))
      (import "${host}" "emit-message" (func $emit-message (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) ${attachments}))
      ${imports}
      (memory (export "memory") 2)
      (global $heap (mut i32) (i32.const 65536))
      (data (i32.const 2048) "alice")
      ${fields}
      (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
        (local.set $at (i32.and (i32.add (global.get $heap) (i32.const 7)) (i32.const -8)))
        (global.set $heap (i32.add (local.get $at) (local.get 3)))
        (block $fits (br_if $fits
            (i32.le_u (global.get $heap) (i32.mul (memory.size) (i32.const 65536))))
          (if (i32.eq (i32.const -1) (memory.grow (i32.add (i32.const 1)
                (i32.shr_u (local.get 3) (i32.const 16)))))
            (then unreachable)))
        (local.get $at))
      (func $emit (param $content i32) (param $length i32) (param $metadata i32) (param $metadata-length i32)
        (call $emit-message (i32.const 2048) (i32.const 5) (i32.const 1) (i32.const 2048) (i32.const 5)
          (local.get $content) (local.get $length) (i32.const 0) (i32.const 0) (i32.const 0)
          (local.get $metadata) (local.get $metadata-length) ${isNewer ? "(i32.const 0) (i32.const 0)" : ""}))
      (func (export "${world}#on-start") (param $config i32) (param $config-length i32) (result i32)
        ${start}
        (i32.store8 (i32.const 84) (i32.const ${pollMs === undefined ? 0 : 1}))
        (i32.store (i32.const 88) (i32.const ${pollMs ?? 0})) (i32.store8 (i32.const 92) (i32.const 1))
        (i32.const 64))
      (func (export "${world}#on-http-request")
        (param $method i32) (param $method-length i32) (param $path i32) (param $path-length i32)
        (param $headers i32) (param $headers-length i32) (param $query i32) (param $query-length i32)
        (param $body i32) (param $body-length i32) (param $validated i32) (result i32)
        ${text.onHttpRequest ?? "(call $emit (local.get $body) (local.get $body-length) (local.get $query) (local.get $query-length))"}
        (i32.store16 (i32.const 64) (i32.const ${status}))
        (i32.store (i32.const 68) (i32.const ${data.text("{}")})) (i32.store (i32.const 72) (i32.const 2))
        (i32.store (i32.const 76) (local.get $path)) (i32.store (i32.const 80) (local.get $path-length))
        (i32.const 64))
      (func (export "${world}#on-poll") ${text.onPoll ?? ""})
      (func $respond (param $content i32) (param $length i32) (param $metadata i32) (param $metadata-length i32)
        ${
          text.onRespond ??
          `(call $log (i32.const 2) (local.get $content) (local.get $length))
           (call $log (i32.const 2) (local.get $metadata) (local.get $metadata-length))`
        })
      (func (export "${world}#on-respond") (param i32 i32 i32 i32 i32 i32 i32 i32 i32) ${attachments} (result i32)
        (call $respond (local.get 2) (local.get 3) (local.get 7) (local.get 8)) ${done})
      (func (export "${world}#on-status") (param $status i32) (param $message i32) (param $length i32) (param i32 i32)
        (i32.store8 (i32.const 4064) (i32.add (i32.const 65) (local.get $status)))
        (call $log (i32.const 1) (i32.const 4064) (i32.const 1)))
      ${
        isNewer
          ? `(func (export "${world}#on-broadcast") (param i32 i32) (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32)
        (call $log (i32.const 2) (local.get 0) (local.get 1))
        (call $log (i32.const 2) (local.get 4) (local.get 5)) ${done})`
          : ""
      }
      (func (export "${world}#on-shutdown") (call $log (i32.const 2) (i32.const ${shutdown}) (i32.const 8)))
      ${data.segments})`,
    "sandboxed-channel",
  );
}

/** Strings and lists in the memory of a component. */
class DataSegments {
  #end: number;
  readonly #parts: string[] = [];

  constructor(start: number) {
    this.#end = start;
  }

  get segments(): string {
    return this.#parts.join("\n");
  }

  text(content: string): number {
    return this.#add(literal(content), Buffer.byteLength(content));
  }

  words(values: readonly number[]): number {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
    const text = [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
    return this.#add(`"${text}"`, bytes.length);
  }

  #add(content: string, length: number): number {
    const at = this.#end;
    this.#parts.push(`(data (i32.const ${at}) ${content})`);
    this.#end = (at + length + 7) & ~7;
    return at;
  }
}

function startText(text: ChannelText, data: DataSegments): string {
  const { name = "Test channel", startError, endpoints = [] } = text;
  const pair = (content: string) => [data.text(content), Buffer.byteLength(content)];
  if (startError !== undefined) {
    const [at = 0, length = 0] = pair(startError);
    return `(i32.store8 (i32.const 64) (i32.const 1)) (i32.store (i32.const 68) (i32.const ${at}))
      (i32.store (i32.const 72) (i32.const ${length}))
      (return (i32.const 64))`;
  }
  const rows = endpoints.flatMap(({ path, methods = ["POST"], requireSecret = false }) => {
    const list = data.words(methods.flatMap(pair));
    return [...pair(path), list, methods.length, requireSecret ? 1 : 0];
  });
  const [at = 0, length = 0] = pair(name);
  return `(i32.store8 (i32.const 64) (i32.const 0))
    (i32.store (i32.const 68) (i32.const ${at})) (i32.store (i32.const 72) (i32.const ${length}))
    (i32.store (i32.const 76) (i32.const ${data.words(rows)}))
    (i32.store (i32.const 80) (i32.const ${endpoints.length}))`;
}
