import type { ConfigurationChange } from "@openclaw/configuration";
import { defined } from "@openclaw/foundation";
import { settingMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { Store } from "@openclaw/store";
import type { ChangeOutcome } from "../reload/control.js";
import { warningsOf } from "./configuration.js";

/** Dependencies of {@link createSettingMethods}. */
export interface SettingMethodDependencies {
  readonly store: Pick<Store, "settings">;
  /**
   * Changes settings of the database, and applies the differences.
   * @param changes - changes in the order in which they are made
   * @param source - command that makes them
   */
  changeSettings(
    changes: readonly ConfigurationChange[],
    source: string,
  ): Promise<
    Pick<ChangeOutcome, "applied" | "pending" | "failures" | "problem" | "secrets" | "warnings">
  >;
}

/**
 * Creates the methods of the settings in the database (HOST-007).
 * @param dependencies - stored settings, and their change
 */
export function createSettingMethods({
  store,
  changeSettings,
}: SettingMethodDependencies): MethodRegistry<typeof settingMethods> {
  return MethodRegistry.of(settingMethods, {
    "settings.list": async () => ({
      settings: (await store.settings.list()).map(({ path, ...setting }) => ({
        path: [...path],
        ...setting,
      })),
    }),
    "settings.set": async ({ changes, source = "settings.set" }) => {
      const edits = changes.map(
        ({ path: [first = "", ...rest], value }): ConfigurationChange => [[first, ...rest], value],
      );
      const outcome = await changeSettings(edits, source);
      const { applied, pending, failures, problem, secrets } = outcome;
      return {
        ...{ applied: [...applied], pending: [...pending] },
        failures: failures.map((failure) => defined({ ...failure })),
        ...warningsOf(outcome),
        ...defined({ problem, secrets: secrets.length === 0 ? undefined : [...secrets] }),
      };
    },
  });
}
