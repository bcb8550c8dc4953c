import { nearestName, withSuggestion } from "@openclaw/foundation";
import type { PluginDiagnostic } from "@openclaw/plugin-discovery";
import { OpenClawError } from "@openclaw/plugin-sdk/errors";
import type { Leftover } from "./host/leftovers.js";

/** The path of a plugin does not exist. */
export class PluginMissingError extends OpenClawError {
  static override readonly code = "PLUGIN_MISSING";
  static override readonly kind = "not-found";

  /** @param path - absolute path */
  constructor(path: string) {
    super(`no plugin found at ${path}; give its folder or its entry file`);
  }
}

/** The plugin under test was found but does not run. */
export class PluginNotLoadedError extends OpenClawError {
  static override readonly code = "PLUGIN_NOT_LOADED";
  static override readonly kind = "internal";
  /** The host's diagnostics about it. */
  readonly diagnostics: readonly PluginDiagnostic[];

  /**
   * @param plugin - its id or path
   * @param diagnostics - the host's diagnostics about it
   */
  constructor(plugin: string, diagnostics: readonly PluginDiagnostic[]) {
    const reasons = diagnostics
      .filter(({ level }) => level !== "info")
      .map(({ message, hint }) => `\n  ${message}${hint === undefined ? "" : `; ${hint}`}`);
    super(
      `the plugin ${plugin} does not run in the test host` +
        (reasons.length === 0
          ? "; it is turned off by the given configuration"
          : `:${reasons.join("")}`),
    );
    this.diagnostics = diagnostics;
  }
}

/** A plugin was unloaded and left resources open (SDK-028). */
export class PluginLeftoversError extends OpenClawError {
  static override readonly code = "PLUGIN_LEFTOVERS";
  static override readonly kind = "conflict";
  readonly leftovers: readonly Leftover[];

  /**
   * @param plugin - id of the plugin
   * @param leftovers - the open resources
   */
  constructor(plugin: string, leftovers: readonly Leftover[]) {
    const lines = leftovers.map(({ kind, place }) => `\n  ${kind}, made at ${place}`);
    super(
      `the plugin "${plugin}" was unloaded and left ${leftovers.length} behind:${lines.join("")}\n` +
        "Release what register opens in api.lifecycle.onDispose, and what a service's start opens in its stop.",
    );
    this.leftovers = leftovers;
  }
}

/** npm could not list the files of a package. */
export class PackingError extends OpenClawError {
  static override readonly code = "PLUGIN_NOT_PACKED";
  static override readonly kind = "internal";

  /**
   * @param path - the package's folder
   * @param cause - the error of npm
   */
  constructor(path: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message.trim() : String(cause);
    super(
      `npm cannot list the files it would pack from ${path}: ${reason}; run "npm pack --dry-run" there and correct what it reports`,
      { cause },
    );
  }
}

/** The program that checks plugins is missing; it is a part of the built test kit. */
export class ConformanceUnavailableError extends OpenClawError {
  static override readonly code = "CONFORMANCE_UNAVAILABLE";
  static override readonly kind = "unavailable";

  /** @param program - absolute path */
  constructor(program: string) {
    super(`${program} is missing; build the test kit, or install it again`);
  }
}

/** A plugin has no manifest to build. */
export class ManifestMissingError extends OpenClawError {
  static override readonly code = "PLUGIN_MANIFEST_MISSING";
  static override readonly kind = "not-found";

  /** @param path - path of the plugin */
  constructor(path: string) {
    super(
      `the plugin at ${path} has no manifest; write openclaw.plugin.json with { "id": "…" } into its folder`,
    );
  }
}

/**
 * `approve` or `deny` was called without an id while the number of pending approvals is not one.
 */
export class QuestionUnclearError extends OpenClawError {
  static override readonly code = "TEST_QUESTION_UNCLEAR";
  static override readonly kind = "invalid";

  constructor(waiting: readonly string[]) {
    super(
      waiting.length === 0
        ? "no pending approvals; give createTestHost an `answer` that leaves the request pending, for example () => undefined"
        : `${waiting.length} approvals are pending, name one of them by its code: ${waiting.join(", ")}`,
    );
  }
}

/** `runCommand` was called with a command that the host does not have. */
export class TestCommandNotFoundError extends OpenClawError {
  static override readonly code = "TEST_COMMAND_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param name - name without the slash
   * @param known - names of the commands that the host has
   */
  constructor(name: string, known: readonly string[]) {
    super(
      withSuggestion(
        `command /${name} not found in the test host`,
        nearestName(name, known),
        "register it with api.registerCommand, or send the text to the agent with turn()",
      ),
    );
  }
}

/** `readResource` was called with a URI of no plugin. */
export class TestResourceNotFoundError extends OpenClawError {
  static override readonly code = "TEST_RESOURCE_NOT_FOUND";
  static override readonly kind = "not-found";

  /** @param uri - the URI as given */
  constructor(uri: string) {
    super(
      `resource ${uri} not found in the test host; register it, or a template for it, with api.registerResource`,
    );
  }
}
