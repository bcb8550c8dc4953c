/** Instructions of the project in a workspace, and the files that they come from. */
export interface WorkspaceInstructions {
  /** False when the files are not read, because the user does not trust the workspace. */
  readonly isTrusted: boolean;
  /** Part of the system prompt; undefined when there are no instructions. */
  readonly text: string | undefined;
  /** Files in the order of the prompt. */
  readonly files: readonly { readonly path: string; readonly isCut: boolean }[];
}

/**
 * Reads the instructions of the project in a workspace.
 * @param workspaceDir - absolute path
 * @returns undefined in a host without instructions of projects
 */
export type ReadWorkspaceInstructions = (
  workspaceDir: string,
) => Promise<WorkspaceInstructions | undefined>;
