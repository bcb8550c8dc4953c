import { resolve } from "node:path";
import { PluginIdInvalidError } from "./errors.js";
import { pluginNames } from "./plugin-names.js";
import { type CreatedProject, writeProject } from "./project.js";
import { fillTemplate } from "./template.js";

/** Programming language of a new WebAssembly component. */
export type ComponentLanguage = "typescript" | "rust";

/** Display name of each language of components. */
export const COMPONENT_LANGUAGES: Readonly<Record<ComponentLanguage, string>> = Object.freeze({
  typescript: "TypeScript, built with componentize-js",
  rust: "Rust, built with cargo",
});

/** Folder, id and language of a new WebAssembly component. */
export interface ComponentProject {
  readonly folder: string;
  readonly id: string;
  readonly language: ComponentLanguage;
}

/** Names of components (WASM-041). */
const COMPONENT_NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/**
 * Returns true for the name of a language of components.
 * @param text - any string
 */
export function isComponentLanguage(text: string): text is ComponentLanguage {
  return Object.hasOwn(COMPONENT_LANGUAGES, text);
}

/**
 * Writes a new tool as a WebAssembly component: source, a test that passes, WIT file, capabilities and build. It overwrites
 * nothing.
 * @param project - folder, id and language
 * @throws PluginIdInvalidError, FilesInTheWayError, ProjectNotWrittenError
 */
export function createComponentProject({ folder, id, language }: ComponentProject): CreatedProject {
  const { shortId, ...names } = pluginNames(id);
  // A component has no scope, and its name no dots.
  if (!COMPONENT_NAME.test(shortId)) throw new PluginIdInvalidError(id);
  const filled = fillTemplate([`wasm-${language}`], "typescript", { ...names, id: shortId });
  const files = new Map(
    [...filled].map(([path, content]) => [
      path === "capabilities.json" ? `${shortId}.capabilities.json` : path,
      content,
    ]),
  );
  return writeProject(resolve(folder), files);
}
