import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@openclaw/foundation/testing";
import { parseCommand } from "@openclaw/safety";
import { describe, expect, it } from "vitest";
import { brokerHost, callRequest } from "../support/broker-host.js";
import { programs } from "../support/programs.js";

/** A broker whose operator approved every literal command in advance. */
async function approved(pathOf: (bin: string, workspaceDir: string) => string = (bin) => bin) {
  const { workspaceDir } = await temporaryWorkspace();
  const bin = await programs("touch");
  const place = { path: pathOf(bin, workspaceDir), workspaceDir };
  const { broker } = await brokerHost({ settings: { approvedTools: ["exec"] }, place });
  const ask = async (text: string) => {
    const command = await parseCommand(text);
    const params = { command: text };
    return await broker.ask(callRequest({ kind: "exec", toolName: "exec", params, command }));
  };
  return { workspaceDir, bin, ask };
}

/** A program that an agent wrote. */
async function planted(folder: string, name = "touch"): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, "#!/bin/sh\n");
  await chmod(file, 0o755);
  return file;
}

describe("a command that is approved in advance", () => {
  it("[APPR-038] runs as parsed, with the absolute path of its program", async () => {
    const { ask, bin } = await approved();
    expect(await ask("touch 'a b'")).toMatchObject({
      status: "allowed",
      authority: {
        by: "advance",
        command: {
          pipelines: [{ programs: [{ program: join(bin, "touch"), arguments: ["a b"] }] }],
        },
      },
    });
  });

  it.each([
    ["a program that does not exist", "nosuch a"],
    ["a relative program", "./touch a"],
    ["a computed word", "touch $x"],
  ])("[APPR-038] is asked about when it has %s", async (_what, text) => {
    const { ask, workspaceDir } = await approved();
    await planted(workspaceDir);
    expect(await ask("touch a > b")).toMatchObject({ status: "allowed" });
    expect(await ask(text)).toMatchObject({ status: "pending" });
  });

  it("[APPR-038] is asked about when it names a relative program of a folder that commands run in", async () => {
    const { ask, workspaceDir } = await approved();
    // Found from where this process runs, were it looked for.
    expect(await ask("node_modules/.bin/vitest run")).toMatchObject({
      status: "pending",
    });
    expect(await ask(join(workspaceDir, "absent"))).toMatchObject({ status: "pending" });
  });

  it("[APPR-040] is asked about when its program is stored in the workspace", async () => {
    const { ask, workspaceDir } = await approved((_bin, workspace) => join(workspace, "bin"));
    await mkdir(join(workspaceDir, "bin"));
    const file = await planted(join(workspaceDir, "bin"));
    expect(await ask("touch a")).toMatchObject({ status: "pending" });
    expect(await ask(`${file} a`)).toMatchObject({ status: "pending" });
  });

  it("[APPR-040] is asked about when its program is a link to a file of the workspace", async () => {
    const { ask, workspaceDir, bin } = await approved();
    await symlink(await planted(workspaceDir, "own"), join(bin, "linked"));
    expect(await ask("linked a")).toMatchObject({ status: "pending" });
  });

  it("[APPR-040] is asked about when PATH has a relative folder before its program", async () => {
    const { ask } = await approved((bin) => `bin:${bin}`);
    expect(await ask("touch a")).toMatchObject({ status: "pending" });
  });
});
