import { temporaryFolder } from "@openclaw/foundation/testing";
import type { CommandPlace } from "./openclaw-process.js";

/** An empty workspace and an empty state folder, gone at the end of their scope. */
export interface Place extends CommandPlace, Disposable {
  /** Writes files into the workspace. */
  writeWorkspace(files: Readonly<Record<string, string>>): void;
  /** Writes files into the state folder. */
  writeState(files: Readonly<Record<string, string>>): void;
  /** Puts a plugin of one TypeScript file into the state folder. */
  installPlugin(id: string, code: string, manifest?: object): void;
}

/**
 * Makes a place for commands to run in.
 * @param environment - variables of the commands
 */
export function emptyPlace(environment: Readonly<Record<string, string>> = {}): Place {
  const workspace = temporaryFolder("workspace");
  const state = temporaryFolder("state");
  return {
    workspace: workspace.path,
    state: state.path,
    environment,
    writeWorkspace: workspace.write,
    writeState: state.write,
    installPlugin(id, code, manifest = { id }) {
      state.write({
        [`extensions/${id}/openclaw.plugin.json`]: JSON.stringify({
          entry: "index.ts",
          ...manifest,
        }),
        [`extensions/${id}/index.ts`]: code,
      });
    },
    [Symbol.dispose]() {
      workspace[Symbol.dispose]();
      state[Symbol.dispose]();
    },
  };
}
