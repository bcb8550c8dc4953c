import { WasmFormatError } from "../errors.js";
import { type InstrumentedModule, instrumentModule } from "../fuel/instrumentation.js";
import type { Transpiler } from "../worker/transpiler.js";

/** A component in the form in which the engine runs it. */
export interface TranspiledComponent {
  /** Code that joins the core modules and converts values. */
  readonly glue: Uint8Array;
  /** Core modules that count their fuel, by the names that the glue uses. */
  readonly modules: readonly (InstrumentedModule & { readonly name: string })[];
}

/** Largest component, in bytes; one that contains a JavaScript engine has about 12 MB. */
export const MAX_COMPONENT_BYTES = 32 * 1024 * 1024;

/**
 * Transpiles a component into instrumented core modules and glue code.
 * @param bytes - content of the file
 * @param transpiler - makes the code
 * @throws WasmFormatError or WasmFeatureError
 */
export async function transpileComponent(
  bytes: Uint8Array,
  transpiler: Transpiler,
): Promise<TranspiledComponent> {
  const result = await transpiler.transpile(bytes);
  if ("problem" in result) throw new WasmFormatError(result.problem);
  const glue = result.files.find(([name]) => name.endsWith(".js"))?.[1];
  if (glue === undefined) throw new WasmFormatError("no glue code could be made of it");
  const modules = result.files
    .filter(([name]) => name.endsWith(".wasm"))
    .map(([name, content]) => ({ name, ...instrumentModule(content) }));
  return { glue, modules };
}
