import {
  type Applies,
  type ChangeOptions,
  ConfigurationRejectedError,
  type LoadedConfiguration,
} from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { findRunningGateway } from "../host/running-gateway.js";
import { EXIT, type ExitCode } from "../shell/exit-code.js";
import type { Terminal } from "../shell/terminal.js";

type GatewayOutcome = GatewayMethodResult<"config.reload">;
/** Parts of the outcome that decide when a key takes effect. */
type KeyOutcome = Pick<GatewayOutcome, "applied" | "pending" | "problem" | "listener">;
/** Parts of the outcome that a person is told when something does not work. */
type Difficulties = Pick<GatewayOutcome, "failures" | "problem">;

/** Effect of a change of the configuration on the running gateway. */
export interface ChangeOutcome {
  /** Absent when the gateway did not answer. */
  readonly gateway?: GatewayOutcome | undefined;
  /** Why the gateway did not answer; it applies the change by itself when it sees it. */
  readonly unanswered?: string | undefined;
}

/** Effect of a change that is being written on the running gateway. */
export class ChangeInGateway {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #hadProblem: boolean;
  #outcome: ChangeOutcome | undefined;

  private constructor(environment: NodeJS.ProcessEnv, hadProblem: boolean) {
    this.#environment = environment;
    this.#hadProblem = hadProblem;
  }

  /**
   * Prepares a change: a gateway that cannot use the present configuration does not reject one that leaves the reason as it
   * is.
   * @param hash - hash of the present configuration
   * @param environment - environment variables of the command
   */
  static async of(hash: string, environment: NodeJS.ProcessEnv): Promise<ChangeInGateway> {
    const before = await outcomeInGateway(hash, environment);
    return new ChangeInGateway(environment, before?.gateway?.problem !== undefined);
  }

  /** Options of a change that is written. */
  get options(): Required<Pick<ChangeOptions, "apply">> {
    return { apply: (configuration) => this.#apply(configuration) };
  }

  /** Effect of the change; undefined when nothing was written, or no gateway is running. */
  get outcome(): ChangeOutcome | undefined {
    return this.#outcome;
  }

  /**
   * Waits until the running gateway has read the change (GW-440).
   * @param configuration - configuration of the files
   * @throws ConfigurationRejectedError when the gateway cannot use the change
   */
  async #apply({ document }: LoadedConfiguration): Promise<void> {
    this.#outcome = await outcomeInGateway(document?.hash ?? "", this.#environment);
    const { problem } = this.#outcome?.gateway ?? {};
    if (problem !== undefined && !this.#hadProblem) throw new ConfigurationRejectedError(problem);
  }
}

/**
 * Waits until the running gateway has read a configuration that was just written (GW-440).
 * @param hash - hash of the configuration
 * @param environment - environment variables of the command
 * @returns undefined when no gateway is running
 */
async function outcomeInGateway(
  hash: string,
  environment: NodeJS.ProcessEnv,
): Promise<ChangeOutcome | undefined> {
  const running = await findRunningGateway(environment);
  if (running?.http === undefined) return undefined;
  try {
    return { gateway: await running.http.client.call("config.reload", { hash }) };
  } catch (error) {
    return { unanswered: errorMessage(error) };
  }
}

/**
 * Says when a change of one key takes effect, as part of a sentence.
 * @param key - dotted key
 * @param applies - way in which a gateway applies changes of the key
 * @param outcome - effect on the running gateway; undefined without one
 */
export function effectOf(key: string, applies: Applies, outcome: KeyOutcome | undefined): string {
  if (outcome === undefined) return LATER[applies];
  if (outcome.problem !== undefined) return "the running gateway did not apply it";
  const isAbout = (other: string) => isWithin(key, other) || isWithin(other, key);
  if (outcome.pending.some(isAbout)) return LATER.restart;
  if (!outcome.applied.some(isAbout)) return "the running gateway already used it";
  if (applies !== "listener") return DONE[applies];
  return outcome.listener === undefined
    ? "the listener of the running gateway stays: an option or a variable takes precedence"
    : `${DONE.listener} and serves at ${outcome.listener}`;
}

/**
 * Prints what does not work with the new configuration.
 * @param outcome - effect on the running gateway
 * @param terminal - terminal of the command
 */
export function printOutcome(
  outcome:
    | (Omit<ChangeOutcome, "gateway"> & { readonly gateway?: Difficulties | undefined })
    | undefined,
  { print, note, colors }: Terminal,
): void {
  if (outcome?.unanswered !== undefined) {
    note(
      `The running gateway did not say whether it applied the change (${outcome.unanswered}); see \`openclaw status\`.`,
    );
  }
  const { problem, failures = [] } = outcome?.gateway ?? {};
  if (problem !== undefined) {
    print(colors.red(`The last good configuration stays in force: ${problem}`));
  }
  for (const { plugin, message, hint } of failures) {
    print(colors.red(`plugin "${plugin}": ${message}`));
    if (hint !== undefined) print(`  ${hint}`);
  }
}

/**
 * Returns the exit code of a change: negative when the gateway could not use all of it.
 * @param outcome - effect on the running gateway
 */
export function exitCodeOf(
  outcome: { readonly gateway?: Difficulties | undefined } | undefined,
): ExitCode {
  const { problem, failures = [] } = outcome?.gateway ?? {};
  return problem === undefined && failures.length === 0 ? EXIT.ok : EXIT.negative;
}

const LATER: Readonly<Record<Applies, string>> = {
  hot: "a running gateway uses it at once",
  plugin: "a running gateway reloads the plugin",
  channel: "a running gateway reconnects the channel",
  listener: "a running gateway opens its listener again",
  restart: "restart a running gateway to apply it",
};

const DONE: Readonly<Record<Applies, string>> = {
  hot: "the running gateway uses it from now on",
  plugin: "the running gateway reloaded the plugin",
  channel: "the running gateway reconnected the channel",
  listener: "the running gateway opened its listener again",
  restart: LATER.restart,
};

function isWithin(key: string, other: string): boolean {
  return key === other || key.startsWith(`${other}.`);
}
