import { describe, expect, it } from "vitest";
import { clientCall, hostParams, hostTool } from "../../src/kit.js";

const absolute = (path: string) => `/work/${path}`;

describe("tools of Claude Code", () => {
  it("[EXT-531] have the name of their counterpart here", () => {
    const names = ["Read", "Bash(git:*)", "MultiEdit", "mcp__files__open", "exec", "Unknown"];
    expect(names.map(hostTool)).toEqual(["read", "exec", "edit", "files__open", "exec", "Unknown"]);
  });

  it("[EXT-541] are named and filled for a call here, and changed fields lead back", () => {
    const params = { path: "a.txt", limit: 2 };
    const call = clientCall("read", params, absolute);
    expect(call).toMatchObject({ tool: "Read", input: { file_path: "/work/a.txt", limit: 2 } });
    expect(hostParams("read", call.input, call, params)).toEqual(params);
    expect(hostParams("read", { ...call.input, file_path: "/b" }, call, params)).toEqual({
      ...{ path: "/b", limit: 2 },
    });
    expect(clientCall("exec", { command: "ls", timeoutMs: 5 }, absolute)).toMatchObject({
      ...{ tool: "Bash", input: { command: "ls", timeout: 5 } },
    });
    expect(clientCall("files__open", {}, absolute).tool).toBe("mcp__files__open");
    expect(clientCall("time", {}, absolute).tool).toBe("time");
    expect(clientCall("edit", {}, absolute).aliases).toEqual(["MultiEdit"]);
  });
});
