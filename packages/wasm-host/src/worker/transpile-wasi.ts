import { wasiImports } from "./wasi.ts";

// The transpiler is a component itself. In the built package these take the place of a shim that would offer it the files
// and the network of the host.
const wasi = wasiImports({ write: () => {} });

export const environment = wasi["wasi:cli/environment"];
export const exit = wasi["wasi:cli/exit"];
export const stderr = wasi["wasi:cli/stderr"];
export const stdin = wasi["wasi:cli/stdin"];
export const stdout = wasi["wasi:cli/stdout"];
export const terminalInput = wasi["wasi:cli/terminal-input"];
export const terminalOutput = wasi["wasi:cli/terminal-output"];
export const terminalStderr = wasi["wasi:cli/terminal-stderr"];
export const terminalStdin = wasi["wasi:cli/terminal-stdin"];
export const terminalStdout = wasi["wasi:cli/terminal-stdout"];
export const preopens = wasi["wasi:filesystem/preopens"];
export const types = wasi["wasi:filesystem/types"];
export const error = wasi["wasi:io/error"];
export const streams = wasi["wasi:io/streams"];
export const random = wasi["wasi:random/random"];
export const monotonicClock = wasi["wasi:clocks/monotonic-clock"];
export const wallClock = wasi["wasi:clocks/wall-clock"];
