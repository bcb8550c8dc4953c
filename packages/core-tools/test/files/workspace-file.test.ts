import { readFile, writeFile } from "node:fs/promises";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { expect, it } from "vitest";
import { ToolRefusalError } from "../../src/errors.js";
import { openWorkspaceFile, replaceWorkspaceFile } from "../../src/files/workspace-file.js";
import { WorkspacePaths } from "../../src/files/workspace-paths.js";

it("replaces a file only if it is still the version that was read", async () => {
  const tree = await temporaryWorkspace();
  const file = await tree.file("workspace/a.txt", "first");
  const paths = new WorkspacePaths(tree);
  const opened = await openWorkspaceFile(paths, "a.txt");
  await opened.handle.close();

  await replaceWorkspaceFile(paths, "a.txt", "second", { expected: opened.version });
  expect(await readFile(file, "utf8")).toBe("second");

  const late = replaceWorkspaceFile(paths, "a.txt", "third", { expected: opened.version });
  await expect(late).rejects.toSatisfy(
    (error) => ToolRefusalError.isInstance(error) && error.reason === "changed-meanwhile",
  );
  expect(await readFile(file, "utf8")).toBe("second");
});

it("detects a change that keeps the size", async () => {
  const tree = await temporaryWorkspace();
  const file = await tree.file("workspace/a.txt", "12345");
  const paths = new WorkspacePaths(tree);
  const opened = await openWorkspaceFile(paths, "a.txt");
  await opened.handle.close();
  await writeFile(file, "54321");

  await expect(
    replaceWorkspaceFile(paths, "a.txt", "x", { expected: opened.version }),
  ).rejects.toThrow("changed by something else");
});
