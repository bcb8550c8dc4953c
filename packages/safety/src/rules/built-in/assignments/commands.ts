import type { Range } from "../../../text/range.js";
import { anchoredMatcher, matchBehind } from "../../detector.js";
import { REDACTED_LEAK } from "../../leak-actions.js";
import type { LeakRule } from "../../rule.js";
import { isPlaceholder } from "./randomness.js";

const REASON = "It gives access to the account that it is written next to.";
const LONGEST_COMMAND = 1024;
const VALUE = `(?:"([^"\\s$]{3,128})"|'([^'\\s]{3,128})'|([^\\s"'$;|&<>()-][^\\s"';|&<>()]{2,127}))`;

/** Options that hold a password, by the beginning of the command. */
const OPTIONS: readonly (readonly [commands: readonly string[], option: RegExp])[] = [
  [["mysql", "mariadb"], new RegExp(`[ \\t](?:-p|--password=)${VALUE}`, "d")],
  [["sshpass "], new RegExp(`[ \\t]-p[ \\t]?${VALUE}`, "d")],
  [["redis-cli "], new RegExp(`[ \\t](?:-a|--pass)[ \\t]${VALUE}`, "d")],
  [["mongo"], new RegExp(`[ \\t](?:-p[ \\t]?|--password[ =])${VALUE}`, "d")],
  [
    ["docker login ", "podman login "],
    new RegExp(`[ \\t](?:-p[ \\t]?|--password[ =])${VALUE}`, "d"),
  ],
];

/** Passwords among the words of commands, and in files of entries made of words. */
export const COMMAND_RULES: readonly LeakRule[] = [
  {
    kind: "leak",
    id: "command_password",
    title: "password among the options of a command",
    reason: REASON,
    severity: "high",
    label: "PASSWORD",
    actions: REDACTED_LEAK,
    detector: anchoredMatcher(
      OPTIONS.flatMap(([commands]) => commands),
      false,
      passwordOfCommand,
    ),
    examples: {
      match: [
        "mysql -u root -phunter22 shop",
        "mysqldump --password='hunter22' shop",
        "sshpass -p hunter22 ssh host",
        "redis-cli -h cache -a hunter22 ping",
        "mongosh -u admin -p hunter22",
        "docker login -u alice -p hunter22 registry.example.com",
      ],
      clean: [
        "mysql -u root -p shop",
        "mysql -u root -p$PASSWORD shop",
        "mysql -u root -ppassword shop",
        "docker login registry.example.com",
        "redis-cli -a $REDIS_PASSWORD ping",
      ],
    },
  },
  {
    kind: "leak",
    id: "netrc_password",
    title: "password of a .netrc file",
    reason: REASON,
    severity: "high",
    label: "PASSWORD",
    actions: REDACTED_LEAK,
    detector: anchoredMatcher(
      ["machine[ \t\n]"],
      false,
      matchBehind(
        /machine\s{1,8}\S{1,128}(?:\s{1,8}login\s{1,8}\S{1,128})?(?:\s{1,8}account\s{1,8}\S{1,128})?\s{1,8}password\s{1,8}/y,
        /[^\s$<{][^\s]{2,127}/y,
      ),
    ),
    examples: {
      match: [
        "machine api.example.com login alice password hunter22",
        "machine api.example.com\n  login alice\n  password hunter22\n",
      ],
      clean: ["machine api.example.com login alice", "the machine needs a password today"],
    },
  },
];

function passwordOfCommand(text: string, at: number): Range | undefined {
  const end = text.indexOf("\n", at);
  const command = text.slice(at, Math.min(end === -1 ? text.length : end, at + LONGEST_COMMAND));
  for (const [commands, option] of OPTIONS) {
    if (!commands.some((name) => command.startsWith(name))) continue;
    const found = option.exec(command);
    const range = found?.indices?.slice(1).find((indices) => indices !== undefined);
    if (range === undefined || isPlaceholder(command.slice(...range))) continue;
    return [at + range[0], at + range[1]];
  }
  return undefined;
}
