import { join } from "node:path";
import { type ComponentLimits, limitsOf } from "@openclaw/wasm-host";

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Folders and limits of components. */
export interface WasmSettings {
  /** Folder of the tools. */
  readonly tools: string;
  /** Folder of the channels. */
  readonly channels: string;
  /** Folder of transpiled components. */
  readonly cache: string;
  readonly limits: ComponentLimits;
}

/**
 * Returns the settings: `WASM_TOOLS_DIR`, `WASM_CHANNELS_DIR`, `WASM_CACHE_DIR`, and the limits of `limitsOf` (WASM-040, WASM-015).
 * @param environment - variables of the process
 * @param stateDir - returns the state folder of the host, in which the folders are by default
 * @throws WasmSettingError
 */
export function wasmSettings(environment: Environment, stateDir: () => string): WasmSettings {
  const folder = (variable: string, name: string) => {
    const given = environment[variable];
    return given === undefined || given === "" ? join(stateDir(), name) : given;
  };
  return {
    tools: folder("WASM_TOOLS_DIR", "tools"),
    channels: folder("WASM_CHANNELS_DIR", "channels"),
    cache: folder("WASM_CACHE_DIR", "wasm-cache"),
    limits: limitsOf(environment),
  };
}
