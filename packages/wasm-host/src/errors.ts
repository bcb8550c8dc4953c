import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** WebAssembly proposals that components must not use. */
export type RefusedFeature =
  | "custom-page-sizes"
  | "exception-handling"
  | "function-references"
  | "gc"
  | "memory64"
  | "multi-memory"
  | "relaxed-simd"
  | "stack-switching"
  | "tail-call"
  | "threads"
  | "wide-arithmetic";

/** A file is not a valid WebAssembly binary. */
export class WasmFormatError extends OpenClawError {
  static override readonly code = "WASM_FORMAT_INVALID";
  static override readonly kind = "invalid";

  /** @param problem - description with its place */
  constructor(problem: string, cause?: unknown) {
    super(
      `the file is not a valid WebAssembly binary: ${problem}; build it again, or copy it again if it was cut`,
      { cause },
    );
  }
}

/** A component uses a WebAssembly proposal that is not accepted. */
export class WasmFeatureError extends OpenClawError {
  static override readonly code = "WASM_FEATURE_REFUSED";
  static override readonly kind = "invalid";
  readonly feature: RefusedFeature;

  /**
   * @param feature - name of the proposal
   * @param place - where it is used
   */
  constructor(feature: RefusedFeature, place: string) {
    super(
      `the component uses the WebAssembly proposal "${feature}" (${place}), which is not accepted; build it without that feature`,
    );
    this.feature = feature;
  }
}

/** A component is of a kind, world or version that cannot be run. */
export class WasmComponentError extends OpenClawError {
  static override readonly code = "WASM_COMPONENT_UNSUPPORTED";
  static override readonly kind = "invalid";

  /**
   * @param problem - findings, and supported versions
   * @param nextStep - action of the author or operator
   */
  constructor(problem: string, nextStep: string, cause?: unknown) {
    super(`${problem}; ${nextStep}`, { cause });
  }
}

/** Limit that ended a call of a component. */
export type WasmLimit = "fuel" | "wall-clock" | "memory" | "call-stack" | "tables" | "instances";

/** A call of a component reached a limit and was ended; nothing of its output is used. */
export class WasmLimitError extends OpenClawError {
  static override readonly code = "WASM_LIMIT_REACHED";
  static override readonly kind = "unavailable";
  readonly limit: WasmLimit;
  /** Fuel that the call had consumed, when it is known. */
  readonly consumed: number | undefined;

  /**
   * @param component - name of the component
   * @param limit - limit that was reached
   * @param detail - amounts, for example `consumed 10000001 of 10000000 units`
   * @param consumed - fuel that the call had consumed
   */
  constructor(component: string, limit: WasmLimit, detail: string, consumed?: number) {
    const end = limit === "fuel" || limit === "wall-clock" ? "timeout" : "resource limit";
    super(
      `component "${component}" was ended (${end}: ${limit}): ${detail}; give it less work in one call, or raise the limit`,
    );
    this.limit = limit;
    this.consumed = consumed;
  }
}

/** A component failed by itself. */
export class WasmTrapError extends OpenClawError {
  static override readonly code = "WASM_TRAP";
  static override readonly kind = "unavailable";

  /**
   * @param component - name of the component
   * @param trap - message of the engine
   */
  constructor(component: string, trap: string) {
    super(`component "${component}" trapped: ${trap}; report it to the author of the component`);
  }
}

/** A setting of the host of components has a wrong value. */
export class WasmSettingError extends OpenClawError {
  static override readonly code = "WASM_SETTING_INVALID";
  static override readonly kind = "invalid";

  /**
   * @param name - variable of the environment
   * @param value - value that was given
   * @param expected - values that are accepted
   */
  constructor(name: string, value: string, expected: string) {
    super(`${name} is "${value}", but must be ${expected}; correct or remove the variable`);
  }
}

/** A capabilities file cannot be used. */
export class WasmCapabilitiesError extends OpenClawError {
  static override readonly code = "WASM_CAPABILITIES_INVALID";
  static override readonly kind = "invalid";
  /** JSON path of the value; empty for the document. */
  readonly path: string;

  /**
   * @param component - name of the component
   * @param path - JSON path of the value
   * @param problem - description, as the end of a sentence
   */
  constructor(component: string, path: string, problem: string) {
    super(
      `${component}.capabilities.json: ${path === "" ? "the document" : path} ${problem}; correct the file, the component is not loaded before`,
    );
    this.path = path;
  }
}
