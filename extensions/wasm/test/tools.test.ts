import dns from "node:dns/promises";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { hostImportsOf, type ToolText } from "@openclaw/wasm-host/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ComponentCallDetails } from "../src/tools/tool.js";
import { ComponentFolder, method } from "./support/fixture.js";

const INVOKE = {
  imports: hostImportsOf(["tool-invoke"]),
  // The alias is in the first four bytes of the parameters' own name.
  fields: '(data (i32.const 512) "next") (data (i32.const 520) "{}")',
  execute: `(call $tool-invoke (i32.const 512) (i32.const 4) (i32.const 520) (i32.const 2) (i32.const 128))
    (if (result i32) (i32.load8_u (i32.const 128))
      (then (call $fail (i32.load (i32.const 132)) (i32.load (i32.const 136))))
      (else (call $ok (i32.load (i32.const 132)) (i32.load (i32.const 136)))))`,
};

describe("tools of components", () => {
  it("[WASM-001] [WASM-040] [WASM-018] run with validated parameters, and report their fuel", async () => {
    const folder = new ComponentFolder();
    const schema = '{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}';
    await folder.add("repeat", { schema });
    const host = await folder.host();
    const result = await host.callTool("repeat", { word: "a" });
    expect(result.text).toBe('{"word":"a"}');
    expect(result.details).toMatchObject({
      component: "repeat",
      fuel: { consumed: expect.any(Number), limit: 10_000_000 },
    });
    const wrong = await host.callTool("repeat", { word: 1 });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toMatch(/word/);
  });

  it("[WASM-504] [TURN-031] [DHOOK-004] [APPR-005] take the path of all calls, with the kind wasm", async () => {
    const folder = new ComponentFolder();
    await folder.add("repeat");
    const kinds: unknown[] = [];
    const host = await folder.host({
      neighbours: [
        {
          id: "guard",
          register: (api) => {
            api.on("before_tool_call", ({ toolKind, params }) => {
              kinds.push(toolKind);
              if (params.block === true) return { block: true, blockReason: "not now" };
              return { params: { ...params, seen: true } };
            });
          },
        },
      ],
    });
    expect((await host.callTool("repeat", { a: 1 })).text).toBe('{"a":1,"seen":true}');
    expect((await host.callTool("repeat", { block: true })).text).toContain("not now");
    expect(kinds).toEqual(["wasm", "wasm"]);
    expect(host.questions).toHaveLength(1);
    const denied = await folder.host({ config: { tools: { deny: ["group:wasm"] } } });
    expect((await denied.callTool("repeat")).text).toBe("Unknown tool: repeat");
  });

  it("[WASM-017] [WASM-015] end without fuel, with the limit of the environment", async () => {
    const folder = new ComponentFolder();
    await folder.add("spin", { execute: "(loop $again (br $again)) unreachable" });
    const host = await folder.host({}, { WASM_DEFAULT_FUEL_LIMIT: "5000" });
    const { isError, text } = await host.callTool("spin");
    expect(isError).toBe(true);
    expect(text).toMatch(/timeout: fuel\): consumed 500\d of 5000 units/);
  });

  it("[TURN-067] [WASM-018] [WASM-504] are in the list of tools with their kind and capabilities, and their fuel in the metrics", async () => {
    const folder = new ComponentFolder();
    await folder.add("early", {}, { workspace: { allowed_prefixes: ["context/"] } });
    const host = await folder.host();
    const later = new ComponentFolder();
    await method(host, "wasm.install", { source: await later.add("later") });
    const { tools } = (await method(host, "tools.catalog")).body;
    const found = (name: string) =>
      tools.filter((tool: { readonly name: string }) => tool.name === name);
    const wasm = { source: "plugin", pluginId: "wasm", kind: "wasm" };
    expect(found("early")).toEqual([
      { name: "early", ...wasm, capabilities: ["files of the workspace: may read context/"] },
    ]);
    expect(found("later")).toEqual([{ name: "later", ...wasm, capabilities: [] }]);
    expect(found("read")).toEqual([{ name: "read", source: "core" }]);
    const decided = await method(host, "policy.explain", { tool: "later", agentId: "main" });
    expect(decided.body).toMatchObject({ allowed: true });
    const matrix = await method(host, "policy.matrix");
    const row = matrix.body.tools.find(({ tool }: { readonly tool: string }) => tool === "later");
    expect(row).toMatchObject({ pluginId: "wasm", cells: [{ agentId: "main", allowed: true }] });
    const expectation = { name: "components are allowed", tool: "later", expect: "allow" };
    const document = { cases: [{ ...expectation, context: { toolsAllow: ["group:wasm"] } }] };
    const tested = await method(host, "policy.test", { files: [{ file: "cases.json", document }] });
    expect(tested.body).toMatchObject({ passed: true });
    const { details } = await host.callTool("early");
    const metrics = await (await host.request("/metrics")).text();
    expect(metrics).toContain(
      `openclaw_wasm_fuel_total{component="early"} ${(details as unknown as ComponentCallDetails).fuel.consumed}`,
    );
  });

  it("[WASM-511] do not take the name of the tool of another plugin, which is reported", async () => {
    const folder = new ComponentFolder();
    await folder.add("weather");
    const host = await folder.host({
      neighbours: [
        {
          id: "other",
          register: (api) => {
            api.registerTool({
              name: "Weather",
              description: "Of another plugin.",
              parameters: { type: "object" },
              execute: () => "from the other plugin",
            });
          },
        },
      ],
    });
    const { tools } = (await method(host, "tools.effective", { sessionKey: "main" })).body;
    const names = tools.map(({ name }: { readonly name: string }) => name);
    expect(names.filter((name: string) => /^weather$/i.test(name))).toHaveLength(1);
    expect(JSON.stringify(host.logs)).toMatch(/is dropped/);
  });

  it("[WASM-022] write to the log of the host with their name, without secrets", async () => {
    const folder = new ComponentFolder();
    await folder.add("chatty", {
      imports: hostImportsOf(["log"]),
      execute: `(call $log (i32.const 3) (local.get $params) (local.get $length))
        (call $ok (local.get $params) (local.get $length))`,
    });
    const host = await folder.host();
    await host.callTool("chatty", { key: "AKIAIOSFODNN7EXAMPLE" });
    const line = host.logs.find(({ message }) => message.includes('"key"'));
    expect(line).toMatchObject({ level: "warn", fields: { component: "chatty" } });
    expect(JSON.stringify(line)).not.toContain("AKIAIOSFODNN7EXAMPLE");
  });

  it("[WASM-024] read files of the workspace under their prefixes, and follow no link out of it", async () => {
    const folder = new ComponentFolder();
    await folder.add(
      "reader",
      {
        imports: hostImportsOf(["workspace-read"]),
        execute: `(call $workspace-read (i32.const 512) (i32.const 12) (i32.const 128))
          (if (result i32) (i32.load8_u (i32.const 128))
            (then (call $ok (i32.load (i32.const 132)) (i32.load (i32.const 136))))
            (else (call $fail (local.get $params) (local.get $length))))`,
        fields: '(data (i32.const 512) "context/a.md")',
      },
      { workspace: { allowed_prefixes: ["context/"] } },
    );
    const host = await folder.host({ files: { "context/a.md": "from the workspace" } });
    expect((await host.callTool("reader")).text).toBe("from the workspace");
  });

  it("[WASM-025] call tools by their alias on the same path, and not those that need an approval", async () => {
    const folder = new ComponentFolder();
    await folder.add("caller", INVOKE, { tool_invoke: { aliases: { next: "plain" } } });
    await folder.add("asker", INVOKE, { tool_invoke: { aliases: { next: "careful" } } });
    await folder.add("other", INVOKE);
    const tool = {
      description: "Is called by a component.",
      parameters: { type: "object" },
    } as const;
    const parents: unknown[] = [];
    const host = await folder.host({
      neighbours: [
        {
          id: "tools",
          register: (api) => {
            api.registerTool({ ...tool, name: "plain", execute: () => "from plain" });
            api.registerTool({
              ...tool,
              name: "careful",
              approval: "always",
              execute: () => "ran",
            });
            api.on("before_tool_call", ({ toolName }, { parentToolCallId }) => {
              if (toolName === "plain") parents.push(parentToolCallId);
            });
          },
        },
      ],
      answer: ({ tool }) => (tool === "careful" ? undefined : "allow-once"),
    });
    expect((await host.callTool("caller")).text).toContain("from plain");
    expect(parents).toEqual([expect.any(String)]);
    expect((await host.callTool("asker")).text).toContain("careful");
    expect((await host.callTool("asker")).isError).toBe(true);
    expect((await host.callTool("other")).text).toBe("unknown alias next");
  });

  it("[WASM-041] [TURN-071] do not take the name of a tool of the host", async () => {
    const folder = new ComponentFolder();
    await folder.add("read");
    mkdirSync(join(folder.path, "sub"));
    writeFileSync(join(folder.path, "Wrong Name.wasm"), "");
    const host = await folder.host({ files: { "a.txt": "from the file" } });
    expect((await host.callTool("read", { path: "a.txt" })).text).toContain("from the file");
    expect(JSON.stringify(host.logs)).toContain("cannot be the name of a component");
  });

  it.each([
    ["https://127.0.0.1/", "AddressDenied"],
    ["https://[::ffff:10.0.0.1]/", "AddressDenied"],
    ["https://169.254.169.254/", "AddressDenied"],
    ["http://127.0.0.1/", "InsecureScheme"],
    ["https://evil.example/", "HostNotAllowed"],
  ])("[WASM-027] [WASM-030] [SAFE-050] cannot request %s", async (url, code) => {
    const folder = new ComponentFolder();
    const allowlist = ["127.0.0.1", "[::ffff:a00:1]", "169.254.169.254"].map((host) => ({ host }));
    await folder.add("requester", requesting(url), { http: { allowlist } });
    const host = await folder.host();
    expect((await host.callTool("requester")).text).toMatch(new RegExp(`^${code}: `));
  });

  it("[WASM-030] [SAFE-050] reach no private address by a name that resolves to another one later", async () => {
    const requests: string[] = [];
    const server = createServer(({ headers }, response) => {
      requests.push(String(headers.host));
      response.end("reached");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const answers: Record<string, string[]> = {
      // The operator's own server, whose private address is allowed: the second answer would lead to nothing.
      "service.example": ["127.0.0.1", "127.0.0.9"],
      // Public addresses that turn into that of the server, at once and at the next question.
      "rebound.example": ["93.184.216.34 127.0.0.1", "127.0.0.1", "::ffff:127.0.0.1"],
    };
    const asked: string[] = [];
    const lookup = vi.spyOn(dns, "lookup").mockImplementation((async (name: string) => {
      asked.push(name);
      const found = answers[name]?.shift()?.split(" ") ?? [];
      return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    }) as never);
    syncBuiltinESMExports();
    onTestFinished(() => {
      lookup.mockRestore();
      syncBuiltinESMExports();
    });
    const folder = new ComponentFolder();
    const own = `service.example:${port}`;
    const capabilities = { http: { allowlist: [{ host: "*.example" }, { host: own }] } };
    await folder.add("own", requesting(`http://${own}/`), capabilities);
    await folder.add("rebound", requesting(`https://rebound.example:${port}/`), capabilities);
    const host = await folder.host({ config: { tools: { http: { allowHosts: [own] } } } });
    expect((await host.callTool("own")).text).toBe("reached");
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect((await host.callTool("rebound")).text).toMatch(/^AddressDenied: /);
    }
    // Once for each connection, which goes to the address that was checked.
    expect(asked).toEqual(["service.example", ...Array(3).fill("rebound.example")]);
    expect(requests).toEqual([own]);
  });
});

/** Text of a tool that requests a URL, and returns the body or the error. */
function requesting(url: string): ToolText {
  return {
    imports: hostImportsOf(["http-request"]),
    fields: `(data (i32.const 512) "GET{}${url}")`,
    execute: `(call $http-request (i32.const 512) (i32.const 3) (i32.const 517)
        (i32.const ${url.length}) (i32.const 515) (i32.const 2)
        (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 128))
      (if (result i32) (i32.load8_u (i32.const 128))
        (then (call $fail (i32.load (i32.const 132)) (i32.load (i32.const 136))))
        (else (call $ok (i32.load (i32.const 144)) (i32.load (i32.const 148)))))`,
  };
}
