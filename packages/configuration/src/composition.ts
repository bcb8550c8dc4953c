import { realpath } from "node:fs/promises";
import {
  type ConfigurationDocument,
  type ConfigurationSource,
  configurationDocument,
  parseConfigurationFile,
} from "./document.js";
import { ConfigurationError, type ConfigurationProblem } from "./errors.js";
import { IncludedFiles } from "./included-files.js";
import { type LocatedValue, mergeLocated } from "./located-value.js";
import { mayHoldSecrets, SECRET_SECTIONS } from "./secret-keys.js";
import { substituteReferences } from "./substitution.js";

const INCLUDE = "$include";

/**
 * Parses a configuration with its included files, and substitutes environment variables (GW-003). Problems of
 * includes and references are in the document, so that they are reported together with all others.
 * @param text - content of the main file
 * @param file - path of the main file
 * @param environment - environment variables of the process
 * @param replacements - strings to use instead of the content of files, by real path
 * @throws ConfigurationError with line and column of a syntax error in the main file
 */
export async function composeConfiguration(
  text: string,
  file: string,
  environment: NodeJS.ProcessEnv,
  replacements: ReadonlyMap<string, string> = new Map(),
): Promise<ConfigurationDocument> {
  const main = parseConfigurationFile(text, file);
  const composition = new Composition(await IncludedFiles.of(file), environment, replacements);
  const real = await realpath(file).catch(() => file);
  const root = await composition.expand(main, [], [real]);
  const { sources, problems } = composition;
  return configurationDocument(root, [{ file, text }, ...sources], problems);
}

class Composition {
  readonly sources: ConfigurationSource[] = [];
  readonly problems: ConfigurationProblem[] = [];
  readonly #files: IncludedFiles;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #replacements: ReadonlyMap<string, string>;

  constructor(
    files: IncludedFiles,
    environment: NodeJS.ProcessEnv,
    replacements: ReadonlyMap<string, string>,
  ) {
    this.#files = files;
    this.#environment = environment;
    this.#replacements = replacements;
  }

  /**
   * Replaces includes and references in a value.
   * @param value - value of one file
   * @param path - path of the value in the configuration
   * @param chain - real paths of the files that lead to it
   */
  async expand(
    value: LocatedValue,
    path: readonly string[],
    chain: readonly string[],
  ): Promise<LocatedValue> {
    const { content } = value;
    if (content.kind === "scalar") return this.#substitute(value, path);
    if (content.kind === "list") {
      const items: LocatedValue[] = [];
      for (const [index, item] of content.items.entries()) {
        items.push(await this.expand(item, [...path, String(index)], chain));
      }
      return { ...value, content: { kind: "list", items } };
    }
    const members = new Map<string, LocatedValue>();
    for (const [key, member] of content.members) {
      if (key !== INCLUDE) members.set(key, await this.expand(member, [...path, key], chain));
    }
    const own: LocatedValue = { ...value, content: { kind: "object", members } };
    const include = content.members.get(INCLUDE);
    return include === undefined ? own : this.#include(include, own, path, chain);
  }

  async #include(
    include: LocatedValue,
    own: LocatedValue,
    path: readonly string[],
    chain: readonly string[],
  ): Promise<LocatedValue> {
    const written = include.content.kind === "list" ? include.content.items : [include];
    const parts: LocatedValue[] = [];
    for (const part of written) {
      const included = await this.#read(part, path, chain);
      if (included !== undefined) parts.push({ ...included, includedBy: own });
    }
    const hasKeys = own.content.kind === "object" && own.content.members.size > 0;
    if (hasKeys || parts.length === 0) parts.push(own);
    for (const part of parts) {
      if (parts.length === 1 || part.content.kind === "object") continue;
      const suggestion = "only objects can be joined with other values";
      this.#report([...path, INCLUDE], include, "expected files with an object", suggestion);
      return own;
    }
    return parts.reduce(mergeLocated);
  }

  async #read(
    include: LocatedValue,
    path: readonly string[],
    chain: readonly string[],
  ): Promise<LocatedValue | undefined> {
    const written = include.content.kind === "scalar" ? include.content.value : undefined;
    const found = await this.#files.read(written, chain);
    if ("message" in found) {
      this.#report([...path, INCLUDE], include, found.message, found.suggestion);
      return undefined;
    }
    const source = { file: found.file, text: this.#replacements.get(found.file) ?? found.text };
    const isKnown = this.sources.some(({ file }) => file === source.file);
    if (!isKnown) this.sources.push(source);
    try {
      const parsed = withoutSchema(parseConfigurationFile(source.text, source.file), path);
      return await this.expand(parsed, path, [...chain, source.file]);
    } catch (error) {
      if (!ConfigurationError.isInstance(error)) throw error;
      if (!isKnown) this.problems.push(...error.problems);
      return undefined;
    }
  }

  #substitute(value: LocatedValue, path: readonly string[]): LocatedValue {
    if (value.content.kind !== "scalar" || typeof value.content.value !== "string") return value;
    const { problems, ...found } = substituteReferences(value.content.value, this.#environment);
    for (const { message, suggestion } of problems) this.#report(path, value, message, suggestion);
    const [secret] = found.written?.secrets ?? [];
    if (secret !== undefined && !mayHoldSecrets(path)) {
      const suggestion = `secrets are available in ${SECRET_SECTIONS.join(", ")}`;
      this.#report(path, value, `\${secret:${secret}} is not available for this key`, suggestion);
    }
    return { ...value, content: { kind: "scalar", ...found } };
  }

  #report(path: readonly string[], at: LocatedValue, message: string, suggestion: string): void {
    this.problems.push({ key: path.join("."), message, suggestion, ...at.place });
  }
}

/** Removes the key `$schema` of an included file, which editors use and the section does not have. */
function withoutSchema(value: LocatedValue, path: readonly string[]): LocatedValue {
  if (path.length === 0 || value.content.kind !== "object") return value;
  const members = new Map(value.content.members);
  members.delete("$schema");
  return { ...value, content: { kind: "object", members } };
}
