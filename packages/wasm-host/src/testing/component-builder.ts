import { readFileSync } from "node:fs";
import { componentEmbed, componentNew, parse } from "@bytecodealliance/jco-transpile/wasm-tools";

/** Text of a tool component. */
export interface ToolText {
  /**
   * Instructions of `execute`, which leave the address of the response. Locals `$params` and `$length` are the arguments;
   * `$ok` and `$fail` make a response of a text.
   */
  readonly execute?: string;
  readonly schema?: string;
  readonly description?: string;
  /** Version of the package `near:agent` with the file of its WIT; without one by default. */
  readonly wit?: "tool.wit" | "tool-0.3.wit" | "tool-0.4.wit" | { readonly source: string };
  /** Fields before the memory, for example imports. */
  readonly imports?: string;
  /** Further fields: functions, globals, tables. */
  readonly fields?: string;
  /** Pages of the memory. */
  readonly pages?: number;
}

const IMPORTS = {
  log: `(func $log (param i32 i32 i32))`,
  "now-millis": `(func $now-millis (result i64))`,
  "workspace-read": `(func $workspace-read (param i32 i32 i32))`,
  "http-request": `(func $http-request (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32))`,
  "tool-invoke": `(func $tool-invoke (param i32 i32 i32 i32 i32))`,
  "secret-exists": `(func $secret-exists (param i32 i32) (result i32))`,
};

/** Returns imports of host functions of tools for the text of a component. */
export function hostImportsOf(names: readonly (keyof typeof IMPORTS)[], version = ""): string {
  return names
    .map((name) => `(import "near:agent/host${version}" "${name}" ${IMPORTS[name]})`)
    .join("\n");
}

/** Returns a literal of a text for a data segment. */
export function literal(text: string): string {
  return `"${[...Buffer.from(text)].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("")}"`;
}

/** Builds a component of the world `sandboxed-tool`. */
export async function buildTool({
  execute = "(call $ok (local.get $params) (local.get $length))",
  schema = '{"type":"object"}',
  description = "Returns its arguments.",
  wit = "tool.wit",
  imports = "",
  fields = "",
  pages = 2,
}: ToolText = {}): Promise<Uint8Array> {
  const witSource = typeof wit === "string" ? witOf(wit) : wit.source;
  const version = /^package near:agent(@[\d.]+)?;/m.exec(witSource)?.[1] ?? "";
  const size = { schema: Buffer.byteLength(schema), description: Buffer.byteLength(description) };
  return await embed(
    witSource,
    `(module
      ${imports}
      (memory (export "memory") ${pages})
      (global $heap (mut i32) (i32.const 65536))
      (data (i32.const 1024) ${literal(schema)})
      (data (i32.const 49152) ${literal(description)})
      ${fields}
      (func $allocate (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $at i32)
        (local.set $at (i32.and (i32.add (global.get $heap) (i32.const 7)) (i32.const -8)))
        (global.set $heap (i32.add (local.get $at) (local.get 3)))
        (block $fits (br_if $fits
            (i32.le_u (global.get $heap) (i32.mul (memory.size) (i32.const 65536))))
          (if (i32.eq (i32.const -1) (memory.grow (i32.add (i32.const 1)
                (i32.shr_u (local.get 3) (i32.const 16)))))
            (then unreachable)))
        (local.get $at))
      (func $ok (param i32 i32) (result i32)
        ${
          version.startsWith("@0.4")
            ? `(i32.store8 (i32.const 64) (i32.const 0))
               (i32.store (i32.const 68) (local.get 0)) (i32.store (i32.const 72) (local.get 1))`
            : `(i32.store8 (i32.const 64) (i32.const 1)) (i32.store8 (i32.const 76) (i32.const 0))
               (i32.store (i32.const 68) (local.get 0)) (i32.store (i32.const 72) (local.get 1))`
        }
        (i32.const 64))
      (func $fail (param i32 i32) (result i32)
        ${
          version.startsWith("@0.4")
            ? `(i32.store8 (i32.const 64) (i32.const 1)) (i32.store8 (i32.const 68) (i32.const 4))
               (i32.store8 (i32.const 72) (i32.const 0)) (i32.store8 (i32.const 84) (i32.const 1))
               (i32.store (i32.const 88) (local.get 0)) (i32.store (i32.const 92) (local.get 1))`
            : `(i32.store8 (i32.const 64) (i32.const 0)) (i32.store8 (i32.const 76) (i32.const 1))
               (i32.store (i32.const 80) (local.get 0)) (i32.store (i32.const 84) (local.get 1))`
        }
        (i32.const 64))
      (func (export "near:agent/tool${version}#schema") (result i32)
        (i32.store (i32.const 16) (i32.const 1024)) (i32.store (i32.const 20) (i32.const ${size.schema}))
        (i32.const 16))
      (func (export "near:agent/tool${version}#description") (result i32)
        (i32.store (i32.const 16) (i32.const 49152))
        (i32.store (i32.const 20) (i32.const ${size.description}))
        (i32.const 16))
      (func $execute (export "near:agent/tool${version}#execute")
        (param $params i32) (param $length i32) (param $has-context i32)
        (param $context i32) (param $context-length i32) (result i32)
        ${execute}))`,
    "sandboxed-tool",
  );
}

/** Builds a component of a core module in the text format. */
export async function embed(witSource: string, text: string, world: string): Promise<Uint8Array> {
  const binary = await parse(text);
  return await componentNew(await componentEmbed({ binary, witSource, world }), []);
}

/** Returns a core module of the text format. */
export async function coreModule(text: string): Promise<Uint8Array> {
  return await parse(text);
}

/** Returns the text of a WIT file of this package. */
export function witOf(file: string): string {
  return readFileSync(
    new URL(
      import.meta.url.endsWith(".ts") ? `../../wit/${file}` : `../wit/${file}`,
      import.meta.url,
    ),
    "utf8",
  );
}
