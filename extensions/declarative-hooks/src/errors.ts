import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** Rule that a definition breaks. */
export type DefinitionProblem =
  | "InvalidFormat"
  | "InvalidField"
  | "InvalidPattern"
  | "InvalidPoint"
  | "InvalidTimeout"
  | "MissingHookPoints"
  | "MissingPermission"
  | "InvalidWebhookUrl"
  | "InvalidWebhookScheme"
  | "ForbiddenWebhookHost"
  | "ForbiddenWebhookHeader"
  | "InvalidWebhookHeader"
  | "InvalidWebhookMaxInFlight";

/** Mistake in a definition. */
export interface FoundProblem {
  readonly problem: DefinitionProblem;
  /** Name of the hook; absent for a mistake in the file as a whole. */
  readonly hook: string | undefined;
  /** Place in the file, for example `rules[0].when`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Describes mistakes in one line.
 * @param problems - mistakes of one definition
 */
export function mistakesOf(problems: readonly FoundProblem[]): string {
  return problems
    .map(({ problem, path, message }) => `${path === "" ? "" : `${path}: `}${message} (${problem})`)
    .join("; ");
}

/** Hooks of a file are not valid, so none of that source is in force (DHOOK-013, DHOOK-015). */
export class HookConfigurationError extends OpenClawError {
  static override readonly code = "HOOK_CONFIGURATION_INVALID";
  static override readonly kind = "configuration";
  readonly source: string;
  readonly problems: readonly FoundProblem[];

  /**
   * @param source - file
   * @param problems - mistakes, at least one
   */
  constructor(source: string, problems: readonly FoundProblem[]) {
    const lines = problems.map(({ problem, hook, path, message }) => {
      const named = hook === undefined ? "" : ` (hook "${hook}")`;
      const place = `${path}${named}`.trim();
      return `  ${place === "" ? "" : `${place}: `}${message} (${problem})`;
    });
    super(
      [
        `the hooks of ${source} are not valid; correct them, they are then read again`,
        ...lines,
      ].join("\n"),
    );
    this.source = source;
    this.problems = problems;
  }
}

/** The action of a hook failed, so that its mode decides (DHOOK-018). */
export class HookActionError extends OpenClawError {
  static override readonly code = "HOOK_ACTION_FAILED";
  static override readonly kind = "unavailable";
  readonly hook: string;

  /**
   * @param hook - name of the hook
   * @param problem - failure, and the next step
   * @param options - `cause` is the underlying error
   */
  constructor(hook: string, problem: string, options: { cause?: unknown } = {}) {
    super(`hook "${hook}": ${problem}`, options);
    this.hook = hook;
  }
}
