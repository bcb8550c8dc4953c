import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** A component cannot be installed or loaded as it is. */
export class WasmInstallError extends OpenClawError {
  static override readonly code = "WASM_INSTALL_REFUSED";
  static override readonly kind = "invalid";

  /**
   * @param problem - description with the name of the component or file
   * @param nextStep - action of the operator
   */
  constructor(problem: string, nextStep: string, cause?: unknown) {
    super(`${problem}; ${nextStep}`, { cause });
  }
}

/** A command names a component that is not installed. */
export class WasmComponentNotFoundError extends OpenClawError {
  static override readonly code = "WASM_COMPONENT_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param name - name that was given
   * @param known - names of the installed components
   */
  constructor(name: string, known: readonly string[]) {
    const list = known.length === 0 ? "none is installed" : `installed: ${known.join(", ")}`;
    super(`component "${name}" not found (${list}); install it with \`openclaw wasm install\``);
  }
}

/** A component would be installed with permissions that were not accepted. */
export class WasmConsentError extends OpenClawError {
  static override readonly code = "WASM_CONSENT_NEEDED";
  static override readonly kind = "forbidden";

  /**
   * @param name - name of the component
   * @param lines - permissions that were not accepted
   */
  constructor(name: string, lines: readonly string[]) {
    super(
      `component "${name}" asks for permissions that were not accepted (${lines.join("; ")}); run \`openclaw wasm install\` and accept them`,
    );
  }
}
