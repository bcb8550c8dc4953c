import { sha256 } from "@openclaw/foundation";
import {
  inexactNumberProblem,
  type Json5Document,
  Json5SyntaxError,
  parseJson5,
  type ValuePath,
} from "@openclaw/foundation/json-document";
import { ConfigurationError, type ConfigurationProblem } from "./errors.js";
import {
  type ConfigurationPlace,
  type LocatedValue,
  locateDocument,
  locatedAt,
  plainValue,
  visitScalars,
} from "./located-value.js";

/** File of a configuration: the main file or an included one. */
export interface ConfigurationSource {
  /** Path as messages show it. */
  readonly file: string;
  readonly text: string;
}

/** Parsed configuration: its value, and the location of every part of it. */
export interface ConfigurationDocument extends Omit<Json5Document, "inexact"> {
  /** Path of the main file. */
  readonly file: string;
  readonly root: LocatedValue;
  /** The main file, then the included ones in the order of reading. */
  readonly sources: readonly ConfigurationSource[];
  /** Hash of the content of all files, for detecting concurrent changes (GW-007). */
  readonly hash: string;
  /** Problems with includes, references to variables, and numbers that would be rounded. */
  readonly problems: readonly ConfigurationProblem[];
  place(path: ValuePath): ConfigurationPlace;
}

/**
 * Parses a configuration file without its includes, and keeps the location of every value.
 * @param text - content of the file, JSON5
 * @param file - path of the file, for messages
 * @throws ConfigurationError with line and column of a syntax error
 */
export function parseConfigurationDocument(text: string, file: string): ConfigurationDocument {
  return configurationDocument(parseConfigurationFile(text, file), [{ file, text }]);
}

/**
 * Parses one file of a configuration.
 * @param text - content of the file, JSON5
 * @param file - path of the file, for messages
 * @throws ConfigurationError with line and column of a syntax error
 */
export function parseConfigurationFile(text: string, file: string): LocatedValue {
  try {
    return locateDocument(parseJson5(text, { allowInexact: true }), file);
  } catch (error) {
    if (!Json5SyntaxError.isInstance(error)) throw error;
    const { message, line, column } = error;
    throw new ConfigurationError([
      {
        key: "",
        message,
        file,
        line,
        column,
        suggestion: "the file is JSON5: check quotes, commas and brackets",
      },
    ]);
  }
}

/**
 * Returns the document of a configuration.
 * @param root - value of the whole configuration
 * @param sources - its files, the main file first
 * @param problems - problems with includes and references
 */
export function configurationDocument(
  root: LocatedValue,
  sources: readonly [ConfigurationSource, ...ConfigurationSource[]],
  problems: readonly ConfigurationProblem[] = [],
): ConfigurationDocument {
  return {
    file: sources[0].file,
    root,
    sources,
    problems: [...problems, ...roundedNumbers(root)],
    hash: hashOfSources(sources),
    value: plainValue(root),
    has: (path) => locatedAt(root, path) !== undefined,
    place(path) {
      for (let length = path.length; length > 0; length--) {
        const found = locatedAt(root, path.slice(0, length));
        if (found !== undefined) return found.place;
      }
      return root.place;
    },
  };
}

/** An ID beyond 2^53 would become that of another person. */
function roundedNumbers(root: LocatedValue): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  visitScalars(root, (path, { content, place }) => {
    if (content.kind !== "scalar" || content.inexact === undefined) return;
    problems.push({ key: path.join("."), ...inexactNumberProblem(content.inexact), ...place });
  });
  return problems;
}

/**
 * Returns the hash of a configuration that a change can be based on (GW-007).
 * @param sources - its files; none when there is no file
 */
export function hashOfSources(sources: readonly ConfigurationSource[]): string {
  return sha256(JSON.stringify(sources.map(({ file, text }) => [file, text])));
}
