import {
  comparePermissions,
  type DeclaredPermissions,
  declaredPermissions,
} from "@openclaw/plugin-discovery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFileHost } from "../support/file-host.js";

const tool = (name: string) => ({ name, description: "", parameters: {}, execute: () => name });

describe("manifest permissions", () => {
  it("[PLUG-043] include declared permissions; contracts, channels and providers count as declared", async () => {
    const declared = {
      tools: ["find"],
      hooks: ["agent_end"],
      commands: ["ping"],
      routes: ["/hook"],
      gatewayMethods: ["notes.ping"],
      channels: ["telegram"],
      providers: ["local"],
      services: ["ticker"],
      sessions: ["mood"],
      secrets: ["API_KEY"],
      network: { hosts: ["example.com"] },
      fs: { read: ["~/notes"], write: ["~/notes"] },
      exec: ["git"],
    };
    expect(declaredPermissions({ permissions: declared }, "notes")).toEqual({
      tools: ["find"],
      hooks: ["agent_end"],
      commands: ["ping"],
      routes: ["/hook"],
      gatewayMethods: ["notes.ping"],
      channels: ["telegram"],
      providers: ["local"],
      services: ["ticker"],
      sessions: ["mood"],
      secrets: ["API_KEY"],
      "network.hosts": ["example.com"],
      "fs.read": ["~/notes"],
      "fs.write": ["~/notes"],
      exec: ["git"],
    });
    expect(
      declaredPermissions(
        {
          permissions: { tools: ["find"] },
          contracts: { tools: ["store", "find"], hooks: ["agent_end"], other: ["x"] },
          channels: ["telegram"],
          providers: ["local"],
        },
        "notes",
      ),
    ).toEqual({
      tools: ["find", "store"],
      hooks: ["agent_end"],
      channels: ["telegram"],
      providers: ["local"],
    });
    const { runtime } = createFileHost(
      [
        {
          id: "notes",
          contracts: { tools: ["store"] },
          permissions: { tools: ["find"], hooks: ["before_*"] },
          register: (api) => {
            api.registerTool(tool("find"));
            api.registerTool(tool("Store"));
            api.on("before_tool_call", () => {});
          },
        },
      ],
      { permissions: "strict" },
    );
    const { diagnostics, plugins } = await runtime.load();
    expect(diagnostics).toEqual([]);
    expect(plugins[0]?.permissions).toEqual({
      tools: ["find", "store"],
      hooks: ["before_*"],
    });
  });

  it("[PLUG-340] takes routes with the plugin's mount and sessions with its ID as the short forms", () => {
    const routes = [
      ...["/plugins/notes/a", "/plugin/notes/b/", "/plugins/notes", "/plugins/notes/*", "/a"],
      ...["/plugins/notes2/a", "/plugins/other/a", "/webhook/notes"],
    ];
    expect(
      declaredPermissions({ permissions: { routes, sessions: ["notes/mood", "mood"] } }, "notes"),
    ).toEqual({
      routes: ["/a", "/b", "/", "/*", "/plugins/notes2/a", "/plugins/other/a", "/webhook/notes"],
      sessions: ["mood"],
    });
  });

  it("are empty for a value that is not a list, or an inherited member", () => {
    const odd = { tools: "find", hooks: [1, "agent_end"], network: "all", fs: null };
    expect(declaredPermissions({ permissions: odd as never }, "notes")).toEqual({
      hooks: ["agent_end"],
      "network.hosts": [],
    });
    const inherited = Object.create({ tools: ["find"] });
    expect(declaredPermissions({ permissions: inherited }, "notes")).toEqual({});
  });
});

describe("manifest permission comparison", () => {
  it("lists permissions of one manifest that the other does not cover", () => {
    const before: DeclaredPermissions = {
      tools: ["find", "memory_*"],
      exec: ["git"],
      "network.hosts": ["*"],
    };
    const after: DeclaredPermissions = {
      tools: ["find", "memory_store", "write"],
      "network.hosts": ["example.com"],
      "fs.read": ["~/notes"],
    };
    expect(comparePermissions(before, after)).toEqual({
      added: [
        { kind: "tools", value: "write" },
        { kind: "fs.read", value: "~/notes" },
      ],
      removed: [
        { kind: "tools", value: "memory_*" },
        { kind: "network.hosts", value: "*" },
        { kind: "exec", value: "git" },
      ],
    });
    expect(comparePermissions(after, after)).toEqual({ added: [], removed: [] });
  });

  const name = fc.stringMatching(/^[ab*]{0,4}$/);
  const lists = fc.record({ tools: fc.array(name, { maxLength: 3 }) });

  it("reports every added name that the old manifest did not allow", () => {
    const words = ["a", "b", "aa", "ab", "ba", "bb", "aab", "abab", ""];
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const { added } = comparePermissions(before, after);
        const covered = after.tools.filter(
          (pattern) => !added.some(({ value }) => value === pattern),
        );
        for (const word of words) {
          if (!allows(covered, word)) continue;
          expect(allows(before.tools, word), `${word} of ${covered} in ${before.tools}`).toBe(true);
        }
      }),
    );
  });

  it("matches names as a plain reading of the pattern does", () => {
    fc.assert(
      fc.property(name, fc.stringMatching(/^[abAB]{0,5}$/), (pattern, word) => {
        const { added } = comparePermissions({ tools: [pattern] }, { tools: [word] });
        expect(added.length === 0).toBe(allows([pattern], word));
      }),
    );
  });
});

/** A pattern, read as an expression: the oracle. */
function allows(patterns: readonly string[], word: string): boolean {
  return patterns.some((pattern) =>
    new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "i").test(word),
  );
}
