import { isAbsolute } from "node:path";
import type { EntryProblem, LoadedConfiguration } from "@openclaw/configuration";
import { headerProblems } from "@openclaw/models";
import { variableProblems } from "./contradictions.js";
import { dotted, isTouched } from "./unknown-names.js";

type Server = NonNullable<LoadedConfiguration["value"]["mcpServers"]>[string];

/** Problem of an entry, with the keys below it. */
type Fault = readonly [path: readonly (string | number)[], message: string, suggestion: string];

const PLAIN_NAME = /^[A-Za-z0-9_.-]+$/;
const LONGEST_NAME = 64;
const ONE = "set `command` for a program, or `url` for a server over HTTP";

/**
 * Returns the entries of `mcpServers` that a change names and that cannot work: with no program or URL or both, and with
 * names of variables and headers that cannot be passed (GW-505). The extension `mcp` leaves such a server out.
 * @param configuration - configuration with the change
 * @param changed - paths of the change
 */
export function mcpEntryProblems(
  configuration: LoadedConfiguration,
  changed: readonly (readonly string[])[],
): readonly EntryProblem[] {
  const { value, file = "", locate } = configuration;
  return Object.entries(value.mcpServers ?? {}).flatMap(([name, server]) => {
    const above = ["mcpServers", name];
    if (!isTouched(dotted(above), changed) || server.enabled === false) return [];
    const errors = faultsOf(name, server).map((fault) => ["error", fault] as const);
    const warnings = [...oddName(name), ...hiddenTools(server)].map(
      (fault) => ["warning", fault] as const,
    );
    return [...errors, ...warnings].map(([severity, [below, message, suggestion]]) => {
      const path = [...above, ...below];
      return {
        ...{ key: dotted(path), message, suggestion, severity },
        ...(locate(path) ?? locate(above) ?? { file, line: 1, column: 1 }),
      };
    });
  });
}

function oddName(name: string): readonly Fault[] {
  const shown = name.replace(/[^A-Za-z0-9_-]/g, "_").replace(/_{2,}/g, "_");
  const isPlain = PLAIN_NAME.test(name) && !name.includes("__");
  if (isPlain || name.length > LONGEST_NAME) return [];
  const reason = PLAIN_NAME.test(name)
    ? "because __ separates the server from the tool"
    : "because a model accepts no other characters";
  return [
    [
      [],
      `the names of its tools begin with "${shown}", ${reason}`,
      "use letters, digits, - and single _ for the name",
    ],
  ];
}

function faultsOf(name: string, server: Server): readonly Fault[] {
  const { command, url, type, sandbox, oauth } = server;
  const faults: Fault[] = [];
  if (name.length > LONGEST_NAME) {
    faults.push([[], `a name has at most ${LONGEST_NAME} characters`, "shorten the name"]);
  }
  if ((command === undefined) === (url === undefined)) {
    const has = command === undefined ? "neither `command` nor `url`" : "both `command` and `url`";
    return [...faults, [[], `has ${has}`, ONE]];
  }
  const isProgram = command !== undefined;
  if (type !== undefined && (type === "stdio") !== isProgram) {
    faults.push([
      ["type"],
      `"${type}" does not fit to ${isProgram ? "`command`" : "`url`"}`,
      "leave it out",
    ]);
  }
  if (isProgram && oauth !== undefined)
    faults.push([["oauth"], "is for a `url` only", "remove it"]);
  if (!isProgram && sandbox !== undefined) {
    faults.push([["sandbox"], "is for a `command` only", "remove it"]);
  }
  return [
    ...faults,
    ...(url === undefined ? [] : urlFaults(url)),
    ...variableFaults(server.env),
    ...headerFaults(server.headers),
    ...folderFaults(server),
  ];
}

function urlFaults(text: string): readonly Fault[] {
  if (text.includes("${")) return [];
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    return [
      [["url"], `"${text}" is not an http or https URL`, "for example https://mcp.example/mcp"],
    ];
  }
  return url.username === "" && url.password === ""
    ? []
    : [
        [
          ["url"],
          "has a user name or a password, which no request may have",
          "send them as a header",
        ],
      ];
}

function variableFaults(env: Server["env"] = {}): readonly Fault[] {
  return Object.entries(env).flatMap(([name, value]) =>
    variableProblems(name, value).map(
      ({ message, suggestion }): Fault => [["env", name], message, suggestion],
    ),
  );
}

/** Names of tools in both lists, of which no call is possible. */
function hiddenTools({ tools }: Server): readonly Fault[] {
  const denied = tools?.deny ?? [];
  return (tools?.allow ?? []).flatMap((name, index): Fault[] =>
    denied.includes(name)
      ? [[["tools", "allow", index], `"${name}" is in deny too, which wins`, "remove one of them"]]
      : [],
  );
}

function headerFaults(headers: Server["headers"] = {}): readonly Fault[] {
  return headerProblems(headers, ["headers"]).map(
    ({ path, message, suggestion }): Fault => [path, message, suggestion],
  );
}

function folderFaults({ sandbox }: Server): readonly Fault[] {
  return (sandbox?.folders ?? []).flatMap((folder, index): Fault[] =>
    isAbsolute(folder) || folder.includes("${")
      ? []
      : [[["sandbox", "folders", index], `"${folder}" is not absolute`, "write the whole path"]],
  );
}
