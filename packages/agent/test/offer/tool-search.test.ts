import { describe, expect, it } from "vitest";
import {
  calling,
  plugin,
  type TurnHost,
  type TurnHostOptions,
  textOf,
  tool,
  turnHost,
} from "../support/turn-host.js";

const NAMES = ["create_issue", "closeIssue", "list_commits"];

/** A plugin with the tools of two MCP servers. */
const servers = plugin("servers", (api) => {
  for (const mcpServer of ["github", "gitlab"]) {
    for (const name of NAMES) {
      const description = `Does ${name} at ${mcpServer}.\nIts second line is long.`;
      api.registerTool(tool(`${mcpServer}__${name}`, { description, mcpServer }));
    }
  }
});

const search = (query: string, more: object = {}) => ({
  toolCalls: [{ toolName: "tool_search", params: { query, ...more } }],
});

async function searchingHost(
  script: TurnHostOptions["script"],
  options: TurnHostOptions = {},
): Promise<TurnHost> {
  return await turnHost({
    definitionShare: 0,
    plugins: [servers],
    coreTools: [tool("read")],
    ...options,
    ...(script === undefined ? {} : { script }),
  });
}

const offers = (host: TurnHost) =>
  host.requests.map(({ tools = [] }) => tools.map(({ name }) => name));

describe("tool_search", () => {
  it("[TURN-067] offers all definitions while they fit into their share of the window", async () => {
    const host = await searchingHost([{ text: "done" }], { definitionShare: 0.1 });
    await host.run();
    expect(offers(host)[0]).toHaveLength(7);
    expect(offers(host)[0]).not.toContain("tool_search");
  });

  it("[TURN-067] gives the model names with one line each, and the definitions that it loads", async () => {
    const host = await searchingHost([
      search("create issue github", { limit: 1 }),
      calling("github__create_issue"),
      { text: "done" },
    ]);
    await host.run();
    expect(offers(host)).toEqual([
      ["read", "tool_search"],
      ["read", "tool_search", "github__create_issue"],
      ["read", "tool_search", "github__create_issue"],
    ]);
    const [listed] = host.requests[0]?.tools?.slice(1) ?? [];
    const text = listed?.type === "function" ? listed.description : "";
    expect(text).toContain("\n- github__create_issue: Does create_issue at github.\n");
    expect(text).not.toContain("second line");
    expect((await host.toolResults()).map(textOf)).toEqual([
      expect.stringContaining("Does create_issue at github.\nIts second line is long."),
      "github__create_issue ran",
    ]);
  });

  it("[TURN-067] keeps what was loaded behind an unchanged part in later turns", async () => {
    const host = await searchingHost(({ prompt }) =>
      prompt.filter(({ role }) => role === "assistant").length % 2 === 0
        ? search(
            prompt.length < 4 ? "gitlab__list_commits" : "github__closeIssue gitlab__list_commits",
          )
        : { text: "done" },
    );
    await host.run();
    await host.run();
    const first = host.requests[0]?.tools;
    for (const { tools } of host.requests) expect(tools?.slice(0, 2)).toEqual(first);
    expect(offers(host).map((names) => names.slice(2))).toEqual([
      [],
      ["gitlab__list_commits"],
      ["gitlab__list_commits"],
      ["gitlab__list_commits", "github__closeIssue"],
    ]);
  });

  it.each([
    ["github__closeIssue,gitlab__closeIssue", ["github__closeIssue", "gitlab__closeIssue"]],
    [
      "close an issue",
      ["github__closeIssue", "gitlab__closeIssue", "github__create_issue", "gitlab__create_issue"],
    ],
    [
      "commits of GITLAB",
      [
        "gitlab__list_commits",
        "github__list_commits",
        "gitlab__closeIssue",
        "gitlab__create_issue",
      ],
    ],
  ])("[TURN-067] finds tools by names or words: %s", async (query, names) => {
    const host = await searchingHost([search(query), { text: "done" }]);
    await host.run();
    expect(offers(host)[1]?.slice(2)).toEqual(names);
  });

  it("[TURN-067] answers a search without a result with an error, and loads nothing", async () => {
    const host = await searchingHost([search("weather forecast"), { text: "done" }]);
    await host.run();
    const [result] = await host.toolResults();
    expect(result?.isError).toBe(true);
    expect(result && textOf(result)).toContain('No tool matches "weather forecast"');
    expect(offers(host)[1]).toEqual(["read", "tool_search"]);
  });

  it("[TURN-067] loads no tool that policy or a hook denies, and defers nothing where tool_search is denied", async () => {
    const limited = await searchingHost([search("create issue"), { text: "done" }], {
      layers: [{ layer: "global", deny: ["gitlab"] }],
      plugins: [
        servers,
        plugin("narrow", (api) => {
          api.on("before_prompt_build", () => ({
            toolsAllow: ["tool_search", "github__create_issue"],
          }));
        }),
      ],
    });
    await limited.run();
    expect(offers(limited)).toEqual([["tool_search"], ["tool_search", "github__create_issue"]]);

    const open = await searchingHost([{ text: "done" }], {
      layers: [{ layer: "global", deny: ["tool_search"] }],
    });
    await open.run();
    expect(offers(open)[0]).toHaveLength(7);
    const stranger = await searchingHost([{ text: "done" }]);
    const { origin } = stranger.request();
    await stranger.run({ origin: { ...origin, senderIsOwner: false } });
    expect(offers(stranger)[0]).toHaveLength(7);
  });

  it("[TURN-210] defers the tools that the operator names, which keep their place once loaded", async () => {
    const long = "Reports the weather of a place. Its second sentence has all the details.".repeat(
      9,
    );
    const coreTools = [
      tool("read"),
      tool("weather_report", { description: long }),
      tool("weather_alerts", { description: long }),
    ];
    const deferred = ["weather_*"];
    const host = await searchingHost(
      [
        calling("weather_alerts"),
        search("weather_report"),
        calling("weather_report"),
        { text: "done" },
      ],
      { plugins: [], coreTools, deferred, definitionShare: 0.1 },
    );
    await host.run();
    expect(offers(host)).toEqual([
      ["read", "tool_search"],
      ["read", "tool_search"],
      ["read", "tool_search", "weather_report"],
      ["read", "tool_search", "weather_report"],
    ]);
    const listed = host.requests[0]?.tools?.[1];
    const text = listed?.type === "function" ? (listed.description ?? "") : "";
    expect(text.split("\n").slice(1)).toEqual([
      "- weather_report: Reports the weather of a place.",
      "- weather_alerts: Reports the weather of a place.",
    ]);
    // A model that knows the parameters may call a listed tool without loading it.
    expect((await host.toolResults()).map(textOf)).toEqual([
      "weather_alerts ran",
      expect.stringContaining("Loaded"),
      "weather_report ran",
    ]);

    const all = { plugins: [], coreTools, definitionShare: 0.1 };
    const none = await searchingHost([{ text: "done" }], { ...all, deferred: [] });
    await none.run();
    expect(offers(none)).toEqual([["read", "weather_report", "weather_alerts"]]);
  });

  it("[TURN-210] defers nothing where the list of names would cost more than the definitions", async () => {
    const coreTools = [tool("read"), tool("echo")];
    const options = { plugins: [], coreTools, deferred: ["echo"], definitionShare: 0.1 };
    const host = await searchingHost([{ text: "done" }], options);
    await host.run();
    expect(offers(host)).toEqual([["read", "echo"]]);
  });

  it("[TURN-210] lists names of the host's tools where MCP servers have too many for a list", async () => {
    const many = plugin("many", (api) => {
      for (let index = 0; index < 1000; index += 1) {
        const description = `Tool number ${index} of a large server.`;
        api.registerTool(tool(`big__tool_${index}`, { description, mcpServer: "big" }));
      }
    });
    const coreTools = [tool("weather_report", { description: "Reports the weather." })];
    const host = await searchingHost([{ text: "done" }], {
      ...{ plugins: [many], coreTools, deferred: ["weather_report"] },
    });
    await host.run();
    const listed = host.requests[0]?.tools?.[0];
    const text = listed?.type === "function" ? listed.description : "";
    expect(text).toContain(
      "weather_report, and more. Too many to list. The servers are: big (1000",
    );
  });

  it("[TURN-067] lists names alone, and then servers, where the list takes too much room", async () => {
    const many = (count: number) =>
      plugin("many", (api) => {
        for (let index = 0; index < count; index += 1) {
          const description = `Tool number ${index} of a large server.`;
          api.registerTool(tool(`big__tool_${index}`, { description, mcpServer: "big" }));
        }
      });
    const textWith = async (count: number) => {
      const host = await searchingHost([{ text: "done" }], { plugins: [many(count)] });
      await host.run();
      const listed = host.requests[0]?.tools?.[1];
      return listed?.type === "function" ? listed.description : "";
    };
    expect(await textWith(200)).toMatch(/big__tool_0, big__tool_1, big__tool_10/);
    expect(await textWith(1000)).toContain("The servers are: big (1000 tools)");
  });
});
