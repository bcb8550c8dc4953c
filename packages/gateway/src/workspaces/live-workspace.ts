import { mkdirSync, realpathSync } from "node:fs";
import { ConfigurationError, type LoadedConfiguration } from "@openclaw/configuration";
import { errorMessage } from "@openclaw/foundation";
import { OpenClawError } from "@openclaw/foundation/errors";
import type { LiveConfiguration } from "../reload/live-configuration.js";
import { assertWorkspacePlace } from "./workspace-place.js";

/** Options of {@link LiveWorkspace}. */
export interface LiveWorkspaceOptions {
  readonly configuration: LiveConfiguration;
  /** Workspace of the start. */
  readonly initial: string;
  readonly stateDir: string;
  /**
   * Returns the workspace for a configuration; that of the start when absent.
   * @param configuration - configuration in force
   */
  workspaceOf?: ((configuration: LoadedConfiguration) => string) | undefined;
}

/** Workspace of the gateway, which changes with `agents.defaults.workspace` (GW-662). */
export class LiveWorkspace {
  readonly #options: LiveWorkspaceOptions;
  /** Setting of the configuration, so that a folder that was moved does not change the workspace. */
  #asked: string | undefined;
  #dir: string;

  /** @param options - configuration and workspace of the start */
  constructor(options: LiveWorkspaceOptions) {
    this.#options = options;
    this.#asked = this.#setting;
    this.#dir = options.initial;
  }

  /** Absolute path in force. */
  get dir(): string {
    return this.#dir;
  }

  /**
   * Follows a changed configuration, and creates the folder.
   * @throws ConfigurationError when the folder cannot be the workspace; the earlier one stays in force
   */
  follow(): void {
    const { configuration, stateDir, workspaceOf } = this.#options;
    const asked = this.#setting;
    if (asked === this.#asked || workspaceOf === undefined) return;
    const dir = workspaceOf(configuration.current);
    try {
      assertWorkspacePlace(dir, stateDir);
      mkdirSync(dir, { recursive: true });
      this.#dir = realpathSync(dir);
      this.#asked = asked;
    } catch (error) {
      const message = OpenClawError.isInstance(error)
        ? error.message
        : `the folder ${dir} cannot be made (${errorMessage(error)})`;
      const path = ["agents", "defaults", "workspace"];
      const { file = "" } = configuration;
      const place = configuration.locate(path) ?? { file, line: 1, column: 1 };
      throw new ConfigurationError([{ key: path.join("."), message, ...place }]);
    }
  }

  get #setting(): string | undefined {
    return this.#options.configuration.value.agents?.defaults?.workspace;
  }
}
