/** Configuration of the plugin; the lists are read by the same reader as hook files. */
export interface DeclarativeHooksConfig {
  readonly rules?: readonly unknown[];
  readonly outbound_webhooks?: readonly unknown[];
  readonly hooks?: readonly unknown[];
  /** Secrets that files name as `${secrets.NAME}`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** False does not read hook files of the workspace. */
  readonly workspaceFiles?: boolean;
}
