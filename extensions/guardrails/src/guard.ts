import type { Static, TObject } from "typebox";
import { settingsOf } from "./configuration/settings.js";
import type { GuardHost } from "./guard-host.js";
import { GUARD_DESCRIPTIONS, type GuardName } from "./guard-names.js";

/** Guard with the schema of its configuration. */
export interface Guard {
  readonly name: GuardName;
  /** Line for the documentation of the configuration. */
  readonly description: string;
  /** Schema of its configuration, when it is more than `true`. */
  readonly schema: TObject;
  /**
   * Checks a configuration.
   * @param given - `true` or an object
   * @returns a function that registers the hooks of the guard
   * @throws GuardConfigInvalidError
   */
  configure(given: unknown): (host: GuardHost) => void | Promise<void>;
}

/** Definition of a guard. */
export interface GuardDefinition<Schema extends TObject> {
  readonly name: GuardName;
  readonly schema: Schema;
  /**
   * Registers the hooks of the guard.
   * @param settings - complete configuration
   * @param host - hooks, counters and storage
   * @throws GuardConfigInvalidError for a value that the schema cannot check
   */
  install(settings: Static<Schema>, host: GuardHost): void | Promise<void>;
}

/**
 * Defines a guard.
 * @param definition - name, schema and hooks
 */
export function defineGuard<Schema extends TObject>({
  name,
  schema,
  install,
}: GuardDefinition<Schema>): Guard {
  return {
    name,
    description: GUARD_DESCRIPTIONS[name],
    schema,
    configure(given) {
      const settings = settingsOf(name, schema, given);
      return (host) => install(settings, host);
    },
  };
}
