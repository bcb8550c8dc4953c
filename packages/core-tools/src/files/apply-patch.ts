import { defineTool, type ToolResult } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import { ToolRefusalError } from "../errors.js";
import { answer } from "../result.js";
import { type FileChange, previewChanges } from "./change-preview.js";
import { changingApproval } from "./changing-approval.js";
import { type EditDetails, editFile, type FileEdit, previewEdit } from "./edit.js";
import { readEditableText } from "./editable-text.js";
import { type FilePatch, parsePatch } from "./patch-document.js";
import { patchedText } from "./patched-text.js";
import { applyWorkspaceChanges, type WorkspaceChange } from "./workspace-changes.js";
import { openWorkspaceFile } from "./workspace-file.js";
import type { WorkspacePaths } from "./workspace-paths.js";
import { assertContentSize } from "./write.js";

/** Change of one file by a patch, for clients. */
export interface PatchedFile {
  readonly path: string;
  readonly change: "added" | "updated" | "moved" | "deleted";
  readonly movedTo?: string;
}

/**
 * Creates the `apply_patch` tool, which changes several files atomically (TURN-061).
 * @param paths - the folders it may touch
 */
export function createApplyPatchTool(paths: WorkspacePaths) {
  return defineTool({
    name: "apply_patch",
    label: "Apply patch",
    description: [
      "Change files at once, or none if a part does not match. input is:",
      "*** Begin Patch",
      "*** Update File: path (then optionally *** Move to: path), then hunks: @@ line to look behind, then lines with space (kept), - (removed), + (added)",
      "*** Add File: path, then + lines",
      "*** Delete File: path",
      "*** End Patch",
    ].join("\n"),
    parameters: Type.Object(
      {
        input: Type.Optional(
          Type.String({
            minLength: 1,
            description: "The patch; without it the others, as for edit.",
            "x-safety-role": "prose",
          }),
        ),
        path: Type.Optional(Type.String({ minLength: 1, description: "As for edit." })),
        old_string: Type.Optional(Type.String({ minLength: 1, description: "As for edit." })),
        new_string: Type.Optional(Type.String({ description: "As for edit." })),
        replace_all: Type.Optional(Type.Boolean({ description: "As for edit." })),
      },
      { additionalProperties: false },
    ),
    approval: (params) => changingApproval(paths, () => pathsOf(changeOf(params))),
    preview: async (params) => {
      const wanted = changeOf(params);
      return "input" in wanted
        ? await previewPatch(paths, wanted.input)
        : await previewEdit(paths, wanted);
    },
    execute: (_id, params) =>
      answer<EditDetails | PatchDetails>("apply the patch", async () => {
        const wanted = changeOf(params);
        return "input" in wanted
          ? await applyPatch(paths, wanted.input)
          : await editFile(paths, wanted);
      }),
  });
}

interface PatchParameters extends Partial<FileEdit> {
  readonly input?: string | undefined;
}

function changeOf(params: PatchParameters): { readonly input: string } | FileEdit {
  const { input, path, old_string, new_string, replace_all } = params;
  if (input !== undefined && path === undefined) return { input };
  if (
    input !== undefined ||
    path === undefined ||
    old_string === undefined ||
    new_string === undefined
  ) {
    throw new ToolRefusalError(
      "invalid-value",
      "Give either input, or path with old_string and new_string. Nothing was changed.",
    );
  }
  return { path, old_string, new_string, replace_all };
}

/** Returns the paths of all files that a call would change. */
function pathsOf(wanted: { readonly input: string } | FileEdit): readonly string[] {
  if (!("input" in wanted)) return [wanted.path];
  return parsePatch(wanted.input).flatMap((patch) =>
    patch.kind === "update" && patch.movedTo !== undefined
      ? [patch.path, patch.movedTo]
      : [patch.path],
  );
}

/** Changes of a patch, for clients. */
export interface PatchDetails {
  files: readonly PatchedFile[];
}

async function planPatch(
  paths: WorkspacePaths,
  input: string,
): Promise<{ readonly patches: readonly FilePatch[]; readonly changes: WorkspaceChange[] }> {
  const patches = parsePatch(input);
  await assertSeparateFiles(paths, patches);
  const changes: WorkspaceChange[] = [];
  for (const patch of patches) changes.push(...(await changesOf(paths, patch)));
  return { patches, changes };
}

async function previewPatch(paths: WorkspacePaths, input: string): Promise<string> {
  const { changes } = await planPatch(paths, input);
  const shown: FileChange[] = [];
  for (const change of changes) {
    const { path } = change;
    if (change.kind === "write") {
      shown.push({ path, before: change.replaces?.content, after: change.content });
    } else {
      const before = await readEditableText(path, await openWorkspaceFile(paths, path));
      shown.push({ path, before, after: undefined });
    }
  }
  return previewChanges(shown);
}

async function applyPatch(paths: WorkspacePaths, input: string): Promise<ToolResult<PatchDetails>> {
  const { patches, changes } = await planPatch(paths, input);
  await applyWorkspaceChanges(paths, changes);
  const files = patches.map(patchedFile);
  return {
    content: [{ type: "text", text: files.map(sentenceOf).join("\n") }],
    details: { files },
  };
}

/** Rejects two sections for one file: each would be based on the file before the other. */
async function assertSeparateFiles(
  paths: WorkspacePaths,
  patches: readonly FilePatch[],
): Promise<void> {
  const seen = new Set<string>();
  for (const patch of patches) {
    const movedTo = patch.kind === "update" ? patch.movedTo : undefined;
    for (const given of movedTo === undefined ? [patch.path] : [patch.path, movedTo]) {
      const realPath = await paths.resolve(given);
      if (seen.has(realPath)) {
        throw new ToolRefusalError(
          "invalid-value",
          `The patch names "${given}" twice. Put all hunks of a file into one part; nothing was changed.`,
        );
      }
      seen.add(realPath);
    }
  }
}

async function changesOf(paths: WorkspacePaths, patch: FilePatch): Promise<WorkspaceChange[]> {
  const { path } = patch;
  if (patch.kind === "add") {
    const content = patch.lines.map((line) => `${line}\n`).join("");
    assertContentSize(path, content);
    await assertAbsent(paths, path);
    return [{ kind: "write", path, content, replaces: undefined }];
  }
  const file = await openWorkspaceFile(paths, path);
  const { version } = file;
  if (patch.kind === "delete") {
    await file.handle.close();
    return [{ kind: "remove", path, version }];
  }
  const before = await readEditableText(path, file);
  const content = patchedText(path, before, patch.hunks);
  assertContentSize(path, content);
  if (patch.movedTo === undefined) {
    return [{ kind: "write", path, content, replaces: { content: before, version } }];
  }
  await assertAbsent(paths, patch.movedTo);
  const moved = { path: patch.movedTo, content, replaces: undefined, mode: version.mode };
  return [
    { kind: "write", ...moved },
    { kind: "remove", path, version },
  ];
}

async function assertAbsent(paths: WorkspacePaths, path: string): Promise<void> {
  const present = await openWorkspaceFile(paths, path).catch((error: unknown) => {
    if (ToolRefusalError.isInstance(error) && error.reason === "not-found") return undefined;
    throw error;
  });
  if (present === undefined) return;
  await present.handle.close();
  throw new ToolRefusalError(
    "wrong-kind",
    `"${path}" already exists; nothing was changed. Use "*** Update File: ${path}", or choose another path.`,
  );
}

function patchedFile(patch: FilePatch): PatchedFile {
  const { path } = patch;
  if (patch.kind === "add") return { path, change: "added" };
  if (patch.kind === "delete") return { path, change: "deleted" };
  const { movedTo } = patch;
  return movedTo === undefined ? { path, change: "updated" } : { path, change: "moved", movedTo };
}

function sentenceOf({ path, change, movedTo }: PatchedFile): string {
  const verb = { added: "Added", updated: "Updated", moved: "Moved", deleted: "Deleted" }[change];
  return `${verb} ${path}${movedTo === undefined ? "" : ` to ${movedTo}`}.`;
}
