import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestHost } from "../../src/index.js";

const plugin = { id: "none", register() {} };

describe("grant of a tool that changes files", () => {
  it("[APPR-021] covers the folder that the request shows, and those below it, for this tool in this session", async () => {
    await using host = await createTestHost({
      plugin,
      answer: ({ grantCovers = "" }) =>
        grantCovers.includes("/src and the folders below it") ? "allow-always" : "deny",
    });
    const write = async (path: string) =>
      (await host.callTool("write", { path, content: "text" })).isError === true
        ? "denied"
        : "written";
    const asked = () => host.questions.map(({ grantCovers }) => grantCovers);
    const covered = (folder: string) =>
      `write in ${join(host.workspaceDir, folder)} and the folders below it`;
    expect(await write("src/a.txt")).toBe("written");
    expect(asked()).toEqual([covered("src")]);
    expect(await write("src/b.txt")).toBe("written");
    expect(await write("src/deep/er/c.txt")).toBe("written");
    expect(asked()).toHaveLength(1);

    expect(await write("srcs/a.txt")).toBe("denied");
    expect(await write("a.txt")).toBe("denied");
    expect(await write("src/../other/a.txt")).toBe("denied");
    expect(asked().slice(1)).toEqual([covered("srcs"), covered("."), covered("other")]);
    const edit = { path: "src/a.txt", old_string: "text", new_string: "edited" };
    await host.callTool("edit", edit);
    expect(asked()).toHaveLength(5);
  });
});
