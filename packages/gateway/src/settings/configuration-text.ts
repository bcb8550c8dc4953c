import { createHmac, randomBytes } from "node:crypto";
import { basename } from "node:path";
import {
  appliesOf,
  type ConfigurationChange,
  type ConfigurationPreview,
  currentHash,
  type ExplainedKey,
  explainAll,
  formatOrigin,
  formatProblem,
  type LoadedConfiguration,
  loadConfiguration,
  publicConfiguration,
  publicText,
  readableConfiguration,
  valueAt,
  withSecrets,
} from "@openclaw/configuration";
import { previewChanges } from "@openclaw/core-tools";
import { defined } from "@openclaw/foundation";
import type { PluginRuntime } from "@openclaw/plugin-runtime";
import type { GatewayMethodResult } from "@openclaw/protocol";
import { InvalidRequestError } from "@openclaw/protocol/registry";
import type { RuleSet } from "@openclaw/safety";
import type { ChangeOutcome } from "../reload/control.js";
import { changedPaths } from "../reload/difference.js";

/** Dependencies of {@link ConfigurationText}. */
export interface ConfigurationTextDependencies {
  /** Path of `openclaw.json`. */
  readonly configurationFile: string;
  /** Environment variables of the gateway. */
  readonly environment: NodeJS.ProcessEnv;
  readonly plugins: Pick<PluginRuntime, "current">;
  /** Returns the rules with which secrets are found; undefined stands for the built-in ones. */
  rules(): RuleSet | undefined;
  /** Returns the present configuration of the files, with the settings of the database. */
  readFiles(): Promise<LoadedConfiguration>;
  /**
   * Returns what a change would write, and writes nothing.
   * @param change - changes, or another text of the main file
   * @param baseHash - hash of the configuration that it is based on
   */
  previewFiles(
    change: { readonly changes: readonly ConfigurationChange[] } | { readonly text: string },
    baseHash: string,
  ): Promise<ConfigurationPreview>;
  /**
   * Replaces the text of the main file, and applies the differences.
   * @param text - new content
   * @param baseHash - hash of the configuration that it is based on
   */
  writeFile(text: string, baseHash: string): Promise<Omit<ChangeOutcome, "secrets">>;
}

type Preview = GatewayMethodResult<"config.preview">;

/** Key of the marks of this process, so that a mark tells nothing about its secret. */
const MARK_KEY = randomBytes(32);

/** Text and origins of the configuration, without secrets, for consoles. */
export class ConfigurationText {
  readonly #dependencies: ConfigurationTextDependencies;

  /** @param dependencies - file, plugins, rules and changes of the file */
  constructor(dependencies: ConfigurationTextDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns every key that is set, with its origin and what it takes precedence over. */
  async explain(): Promise<GatewayMethodResult<"config.explain">> {
    const { environment } = this.#dependencies;
    const configuration = await this.#dependencies.readFiles();
    const keys = explainAll(configuration, { environment });
    return { keys: keys.map((each) => this.#shown(each)) };
  }

  /** Returns the text of the main file, with marks for its secrets. */
  async read(): Promise<GatewayMethodResult<"config.text">> {
    const { configurationFile: file, environment } = this.#dependencies;
    const { document } = await loadConfiguration(file, { environment });
    const [main, ...included] = document?.sources ?? [];
    const text =
      document === undefined || main === undefined ? "" : this.#public(document, main).text;
    const baseHash = await currentHash(file, { environment });
    return { text, baseHash, file, included: included.map((source) => source.file) };
  }

  /**
   * Returns the difference that a change would make, and how the gateway would apply it.
   * @param change - changes, or another text of the main file with marks for secrets
   * @param baseHash - hash of the configuration that it is based on
   */
  async preview(
    change: { readonly changes: readonly ConfigurationChange[] } | { readonly text: string },
    baseHash: string,
  ): Promise<Preview> {
    const whole = "text" in change ? { text: await this.#restored(change.text) } : change;
    const { files, before, after } = await this.#dependencies.previewFiles(whole, baseHash);
    const shown = files.map(({ file, ...texts }) => ({
      path: basename(file),
      before: this.#hidden(before, file, texts.before),
      after: this.#hidden(after.document, file, texts.after),
    }));
    const keys = changedPaths(before?.value ?? {}, after.document?.value ?? {});
    return {
      diff: previewChanges(shown),
      keys: keys.map((path) => ({ path: [...path], applies: appliesOf(path) })),
      warnings: after.entryWarnings.map(formatProblem),
    };
  }

  /**
   * Replaces the text of the main file.
   * @param text - new content with marks for secrets
   * @param baseHash - hash of the configuration that it is based on
   */
  async write(text: string, baseHash: string) {
    return this.#dependencies.writeFile(await this.#restored(text), baseHash);
  }

  /** Puts the secrets of the present file back into a text that a console was given. */
  async #restored(text: string): Promise<string> {
    if (!/\[redacted/i.test(text)) return text;
    const { configurationFile, environment } = this.#dependencies;
    const { document } = await loadConfiguration(configurationFile, { environment });
    const [main] = document?.sources ?? [];
    const hidden =
      document === undefined || main === undefined
        ? new Map<string, string>()
        : this.#public(document, main).hidden;
    const restored = withSecrets(text, hidden);
    if (!restored.isRedacted) return restored.text;
    const message =
      "contains [REDACTED], which stands for a secret that the file does not have; read the file again, or write the secret";
    throw new InvalidRequestError("config.write", [{ path: "/text", message }]);
  }

  #hidden<Text extends string | undefined>(
    document: LoadedConfiguration["document"],
    file: string,
    text: Text,
  ): Text | string {
    if (document === undefined || text === undefined) return text;
    return this.#public(document, { file, text }).text;
  }

  #public(
    document: NonNullable<LoadedConfiguration["document"]>,
    source: { readonly file: string; readonly text: string },
  ) {
    const { environment } = this.#dependencies;
    const value = this.#publicValue(readableConfiguration({ document }, { environment }));
    return publicText(document, source, value, digitsOf);
  }

  #publicValue(value: unknown): unknown {
    const { plugins, rules } = this.#dependencies;
    return publicConfiguration(value, plugins.current, rules());
  }

  #shown({ path, applies, origin, value, shadowed }: ExplainedKey) {
    const publicAt = (each: unknown) => {
      const nested = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), each);
      return valueAt(this.#publicValue(nested), path);
    };
    const layer = (each: Pick<ExplainedKey, "origin" | "value">) => ({
      ...{ layer: each.origin.layer, origin: formatOrigin(each.origin) },
      ...defined({ value: publicAt(each.value) }),
    });
    return {
      ...{ path: [...path], applies },
      ...layer({ origin, value }),
      shadowed: shadowed.map(layer),
    };
  }
}

function digitsOf(secret: string): string {
  return createHmac("sha256", MARK_KEY).update(secret).digest("hex").slice(0, 8);
}
