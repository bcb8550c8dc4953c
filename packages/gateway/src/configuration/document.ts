import {
  type Json5Document,
  Json5SyntaxError,
  parseJson5,
} from "@openclaw/foundation/json-document";
import { ConfigurationError } from "../errors.js";

/** Parsed configuration file: its value, and the location of every part of it. */
export interface ConfigurationDocument extends Json5Document {
  readonly file: string;
}

/**
 * Parses a configuration file and keeps the location of every value.
 * @param text - content of the file, JSON5
 * @param file - path of the file, for messages
 * @throws ConfigurationError with line and column of a syntax error
 */
export function parseConfigurationDocument(text: string, file: string): ConfigurationDocument {
  try {
    return { file, ...parseJson5(text) };
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
