import {
  type ConfigurationChange,
  currentHash,
  formatProblem,
  loadConfiguration,
  mergedSchema,
  publicConfiguration,
  REDACTED,
  readableConfiguration,
} from "@openclaw/configuration";
import { defined } from "@openclaw/foundation";
import { isInexact } from "@openclaw/foundation/json-document";
import { configurationMethods, type GatewayMethodParameters } from "@openclaw/protocol";
import { InvalidRequestError, MethodRegistry } from "@openclaw/protocol/registry";
import type { ChangeOutcome } from "../reload/control.js";
import type { ConfigurationReload } from "../reload/reload.js";
import {
  ConfigurationText,
  type ConfigurationTextDependencies,
} from "../settings/configuration-text.js";

/** Dependencies of {@link createConfigurationMethods}. */
export interface ConfigurationMethodDependencies extends ConfigurationTextDependencies {
  /**
   * Changes the files, and applies the differences as a change of the files does.
   * @param changes - changes in the order in which they are made
   * @param baseHash - hash of the configuration that they are based on
   */
  change(changes: readonly ConfigurationChange[], baseHash: string): Promise<ChangeOutcome>;
  /**
   * Reads the files now, and returns the outcome of one version of them.
   * @param hash - hash of the configuration that was written
   */
  outcomeOf(hash: string): Promise<ConfigurationReload>;
}

type Change = GatewayMethodParameters<"config.set">["changes"][number];

/**
 * Creates the configuration methods (GW-029).
 * @param dependencies - file, plugins and rules
 */
export function createConfigurationMethods(
  dependencies: ConfigurationMethodDependencies,
): MethodRegistry<typeof configurationMethods> {
  const { configurationFile, environment, plugins, rules, change, outcomeOf } = dependencies;
  const text = new ConfigurationText(dependencies);
  const options = { environment };
  /** Returns the installed plugins that a reload made again. */
  const reloadedOf = (ids: readonly string[]): string[] => {
    const installed = plugins.current.plugins.map(({ id }) => id);
    return ids.includes("*") ? installed : ids.filter((id) => installed.includes(id));
  };

  const shown = (outcome: ConfigurationReload) => ({
    applied: [...outcome.applied],
    reloaded: reloadedOf(outcome.plugins),
    pending: [...outcome.pending],
    failures: outcome.failures.map((failure) => defined({ ...failure })),
    ...defined({ listener: outcome.listener, problem: outcome.problem }),
  });

  return MethodRegistry.of(configurationMethods, {
    "config.get": async () => {
      const configuration = await loadConfiguration(configurationFile, options);
      const value = readableConfiguration(configuration, options);
      return {
        value: publicConfiguration(value, plugins.current, rules()),
        baseHash: await currentHash(configurationFile, options),
        exists: configuration.file !== undefined,
      };
    },
    "config.schema": async () => mergedSchema(plugins.current),
    "config.set": async ({ baseHash, changes }) => {
      refuseRedacted(changes);
      refuseRounded(changes);
      const outcome = await change(changes.map(editOf), baseHash);
      const secrets = outcome.secrets.length === 0 ? undefined : [...outcome.secrets];
      return {
        baseHash: await currentHash(configurationFile, options),
        ...shown(outcome),
        ...warningsOf(outcome),
        ...defined({ secrets }),
      };
    },
    "config.explain": () => text.explain(),
    "config.preview": async (wanted) => {
      if ("text" in wanted) return await text.preview({ text: wanted.text }, wanted.baseHash);
      refuseRedacted(wanted.changes);
      refuseRounded(wanted.changes);
      return await text.preview({ changes: wanted.changes.map(editOf) }, wanted.baseHash);
    },
    "config.text": () => text.read(),
    "config.write": async ({ baseHash, text: content }) => {
      const outcome = await text.write(content, baseHash);
      return {
        baseHash: await currentHash(configurationFile, options),
        ...shown(outcome),
        ...warningsOf(outcome),
      };
    },
    "config.reload": async ({ hash }) => shown(await outcomeOf(hash)),
  });
}

/**
 * Returns the warnings about a change as they are sent; nothing without one.
 * @param outcome - outcome of the change
 */
export function warningsOf({ warnings }: Pick<ChangeOutcome, "warnings">) {
  return warnings.length === 0 ? {} : { warnings: warnings.map(formatProblem) };
}

function editOf({ path: [first = "", ...rest], value }: Change): ConfigurationChange {
  return [[first, ...rest], value];
}

/** A number beyond 2^53 was rounded when the request was read: what the client meant is lost. */
function refuseRounded(changes: readonly Change[]): void {
  const index = changes.findIndex(({ value }) => hasInexact(value));
  if (index === -1) return;
  const message =
    "has a number beyond 2^53, which is not kept exactly; send it as a string, in quotes";
  throw new InvalidRequestError("config.set", [{ path: `/changes/${index}/value`, message }]);
}

function hasInexact(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return isInexact(value);
  return Object.values(value).some(hasInexact);
}

/** A client that writes back what `config.get` returned would destroy the secret. */
function refuseRedacted(changes: readonly Change[]): void {
  const index = changes.findIndex(({ value }) => REDACTED.test(JSON.stringify(value) ?? ""));
  if (index === -1) return;
  const message =
    "contains [redacted], which stands for a secret; leave out settings that do not change";
  throw new InvalidRequestError("config.set", [{ path: `/changes/${index}/value`, message }]);
}
