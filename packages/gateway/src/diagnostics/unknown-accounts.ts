import type { EntryProblem, LoadedConfiguration } from "@openclaw/configuration";
import { valueAt } from "@openclaw/configuration";
import { didYouMean, nearestName } from "@openclaw/foundation";
import { stringsAt } from "./named-references.js";
import { dotted, isTouched } from "./unknown-names.js";

/** Keys that name an account; the channel is in the same object. */
const ACCOUNTS = [
  "approvals.delivery.*.targets.[].accountId",
  "bindings.[].match.accountId",
  "heartbeat.accountId",
  "webhooks.*.deliver.accountId",
];
/** Account of a channel that is configured without names of accounts. */
const DEFAULT = "default";

/**
 * Returns the accounts of channels that a change names and that the configuration does not have (GW-500). A plugin can have other
 * accounts, so that only a name that resembles an existing one is an error.
 * @param configuration - configuration with the change
 * @param changed - paths of the change
 */
export function unknownAccounts(
  configuration: LoadedConfiguration,
  changed: readonly (readonly string[])[],
): readonly EntryProblem[] {
  const { value, file = "" } = configuration;
  return ACCOUNTS.flatMap((pattern) => stringsAt(value, pattern.split("."))).flatMap(
    ({ name, path }): EntryProblem[] => {
      if (!isTouched(dotted(path), changed)) return [];
      const channel = valueAt(value, [...path.slice(0, -1).map(String), "channel"]);
      const accounts = typeof channel === "string" ? accountsOf(channel, configuration) : [];
      if (accounts.includes(name)) return [];
      const near = nearestName(name, accounts);
      const problem =
        typeof channel === "string"
          ? {
              message: `channel "${channel}" has no account "${name}"`,
              suggestion:
                didYouMean(near) ??
                `add channels.${channel}.accounts.${name}, or use one of: ${accounts.join(", ")}`,
            }
          : {
              message: "an account belongs to a channel, which is not named",
              suggestion: `set ${dotted([...path.slice(0, -1), "channel"])} too`,
            };
      const place = configuration.locate(path) ?? { file, line: 1, column: 1 };
      const severity = near === undefined ? "warning" : "error";
      return [{ ...problem, severity, key: dotted(path), ...place }];
    },
  );
}

function accountsOf(channel: string, { value }: LoadedConfiguration): readonly string[] {
  return [DEFAULT, ...Object.keys(Object(valueAt(value, ["channels", channel, "accounts"])))];
}
