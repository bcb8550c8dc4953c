import {
  type ConfigurationDocument,
  ConfigurationError,
  type ConfigurationProblem,
  checkedDocument,
  configurationDocument,
  type LoadedConfiguration,
  type LoadOptions,
  type LocatedValue,
  type OpenClawConfiguration,
  substituteSecrets,
  visitScalars,
} from "@openclaw/configuration";
import { SecretKeyError, SecretNotFoundError } from "./errors.js";
import type { SecretVault } from "./vault.js";

/** Secrets that a configuration refers to, by the keys that refer to them. */
export function secretReferences(
  document: ConfigurationDocument | undefined,
): ReadonlyMap<string, readonly (readonly string[])[]> {
  const found = new Map<string, (readonly string[])[]>();
  if (document === undefined) return found;
  visitScalars(document.root, (path, { content }) => {
    const { secrets = [] } = content.kind === "scalar" ? (content.written ?? {}) : {};
    for (const name of secrets) found.set(name, [...(found.get(name) ?? []), path]);
  });
  return found;
}

/** Resolves references of the configuration to stored secrets, and keeps their values for the redactor. */
export class ConfigurationSecrets {
  readonly #vault: Pick<SecretVault, "read">;
  readonly #options: LoadOptions;
  readonly #onValues: (values: readonly string[]) => void;

  /**
   * @param vault - stored secrets
   * @param options - checks of bundled plugins, and variables
   * @param onValues - receives the values in use, before any part of the host has them
   */
  constructor(
    vault: Pick<SecretVault, "read">,
    options: LoadOptions,
    onValues: (values: readonly string[]) => void,
  ) {
    this.#vault = vault;
    this.#options = options;
    this.#onValues = onValues;
  }

  /**
   * Returns a configuration with the values of secrets, for the parts that use them (HOST-011). Never show or
   * store it.
   * @param configuration - configuration in force
   * @throws ConfigurationError when a secret is missing or unreadable, or the configuration is not valid with
   * its value; each problem names file, line and key
   */
  async resolve(configuration: LoadedConfiguration): Promise<OpenClawConfiguration> {
    const { document, value } = configuration;
    const references = secretReferences(document);
    if (document === undefined || references.size === 0) return value;
    const values = await this.#read(references, document);
    this.#onValues([...values.values()]);
    const { environment = process.env, checks } = this.#options;
    const root = withSecrets(document.root, environment, values);
    const [main, ...included] = document.sources;
    if (main === undefined) return value;
    const checked = await checkedDocument(configurationDocument(root, [main, ...included]), checks);
    const { plugins, webhooks, channels, gateway, tools, mcpServers, models } = checked.value;
    const auth = gateway?.auth;
    const credentials = tools?.http?.credentials;
    return {
      ...value,
      ...(plugins === undefined ? undefined : { plugins }),
      ...(webhooks === undefined ? undefined : { webhooks }),
      ...(channels === undefined ? undefined : { channels }),
      ...(mcpServers === undefined ? undefined : { mcpServers }),
      ...(models === undefined ? undefined : { models }),
      ...(auth === undefined ? undefined : { gateway: { ...value.gateway, auth } }),
      ...(credentials === undefined
        ? undefined
        : { tools: { ...value.tools, http: { ...value.tools?.http, credentials } } }),
    };
  }

  async #read(
    references: ReadonlyMap<string, readonly (readonly string[])[]>,
    document: ConfigurationDocument,
  ): Promise<Map<string, string>> {
    const problems: ConfigurationProblem[] = [];
    const values = new Map<string, string>();
    for (const [name, paths] of references) {
      const users = paths.map((path) => path.join("."));
      try {
        values.set(name, await this.#vault.read(name, users));
      } catch (error) {
        const isMissing = SecretNotFoundError.isInstance(error);
        if (!isMissing && !SecretKeyError.isInstance(error)) throw error;
        const message = isMissing
          ? `the secret ${name} is not stored, or has expired`
          : error.message;
        const suggestion = isMissing ? `store it with \`openclaw secrets set ${name}\`` : undefined;
        for (const each of paths) {
          problems.push({
            key: each.join("."),
            message,
            ...(suggestion && { suggestion }),
            ...document.place(each),
          });
        }
      }
    }
    if (problems.length > 0) throw new ConfigurationError(problems);
    return values;
  }
}

function withSecrets(
  value: LocatedValue,
  environment: NodeJS.ProcessEnv,
  values: ReadonlyMap<string, string>,
): LocatedValue {
  const { content } = value;
  if (content.kind === "list") {
    const items = content.items.map((item) => withSecrets(item, environment, values));
    return { ...value, content: { kind: "list", items } };
  }
  if (content.kind === "object") {
    const members = [...content.members].map(
      ([key, member]) => [key, withSecrets(member, environment, values)] as const,
    );
    return { ...value, content: { kind: "object", members: new Map(members) } };
  }
  const { written } = content;
  if (written === undefined || written.secrets.length === 0) return value;
  const text = substituteSecrets(written, environment, (name) => values.get(name) ?? "");
  // Still marked as written with references, so that messages do not show the value.
  const resolved = { ...written, secrets: [] };
  return { ...value, content: { kind: "scalar", value: text, written: resolved } };
}
